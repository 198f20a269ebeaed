/**
 * Who is signed in, and the short-lived capability that the sign-in was exchanged for. It is in this
 * module's variable and nowhere else: not in storage, not in a URL, gone with the page. It is
 * exchanged for a new one before its end.
 */
import { Offline } from './problem.js';

const RENEW_AHEAD_MS = 60_000;
const TRY_AGAIN_MS = 5_000;

let held = null;
let timer = 0;
let exchange = null;
let isUsed = true;
const listeners = new Set();

/** Tells the listener whenever somebody signs in or is signed out. */
export function onSession(listener) {
  listeners.add(listener);
}

/** `{user, role}`, or null when nobody is signed in. */
export const who = () => (held === null ? null : { user: held.user, role: held.role });

/** Whether whoever is signed in may change something; the server judges by itself. */
export const mayAct = () => held?.role === 'operator';

/** The header that goes with each call of the API. */
export const authorization = () =>
  held === null ? {} : { Authorization: `Bearer ${held.capability}` };

/** Exchanges the sign-in for a capability; answers whether somebody is signed in. */
export function renew() {
  exchange ??= ask().finally(() => (exchange = null));
  return exchange;
}

async function ask() {
  // A page that nobody uses does not keep a session alive.
  const response = await call('capability', isUsed ? '1' : 'quiet');
  isUsed = false;
  if (response.status === 401 || response.status === 403) {
    become(null);
    return false;
  }
  if (!response.ok) {
    throw new Offline(`The console could not sign in: ${response.status}`);
  }
  become(await response.json());
  return true;
}

async function call(what, header) {
  try {
    return await fetch(`/console/session/${what}`, {
      method: 'POST',
      headers: { 'Mailbox-Console': header },
      cache: 'no-store',
    });
  } catch (cause) {
    throw new Offline('The server does not answer', { cause });
  }
}

function become(next) {
  const before = held;
  held = next;
  clearTimeout(timer);
  if (held !== null) {
    const left = new Date(held.expires).getTime() - Date.now();
    timer = setTimeout(
      renewQuietly,
      Math.max(TRY_AGAIN_MS, Math.min(left - RENEW_AHEAD_MS, left / 2)),
    );
  }
  if (before?.user !== held?.user || before?.role !== held?.role) {
    listeners.forEach((listener) => listener());
  }
}

async function renewQuietly() {
  try {
    await renew();
  } catch {
    // Whoever calls the API meanwhile is told; here it is tried again.
    timer = setTimeout(renewQuietly, TRY_AGAIN_MS);
  }
}

/** Signs out here and at the server. */
export async function signOut() {
  await call('end', '1');
  become(null);
}

/** Where one signs in, and comes back from to where one is. */
export const signInAddress = () => `/console/signin?to=${encodeURIComponent(location.hash)}`;

for (const event of ['pointerdown', 'keydown']) {
  addEventListener(event, () => (isUsed = true), { capture: true, passive: true });
}
