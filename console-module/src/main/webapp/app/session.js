/**
 * Who is signed in, and the short-lived capability that the sign-in was exchanged for. It is in this
 * module's variable and nowhere else: not in storage, not in a URL, gone with the page. It is
 * exchanged for a new one before its end.
 */
import { Offline } from './problem.js';

const HEADERS = { 'Mailbox-Console': '1' };
const RENEW_AHEAD_MS = 60_000;
const TRY_AGAIN_MS = 5_000;
const RETURN_TO = 'mailbox.return-to';

let held = null;
let timer = 0;
let exchange = null;
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
export const authorization = () => (held === null ? {} : { Authorization: `Bearer ${held.capability}` });

/** Exchanges the sign-in for a capability; answers whether somebody is signed in. */
export function renew() {
  exchange ??= ask().finally(() => (exchange = null));
  return exchange;
}

async function ask() {
  const response = await call('capability');
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

async function call(what) {
  try {
    return await fetch(`session/${what}`, { method: 'POST', headers: HEADERS, cache: 'no-store' });
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
    timer = setTimeout(renewQuietly, Math.max(TRY_AGAIN_MS, Math.min(left - RENEW_AHEAD_MS, left / 2)));
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
  await call('end');
  sessionStorage.removeItem(RETURN_TO);
  become(null);
}

/** Remembers where one was, for the way back from the sign-in: a place of the console, no secret. */
export function leaveForSignIn() {
  sessionStorage.setItem(RETURN_TO, location.hash);
}

/** Goes back there. */
export function returnFromSignIn() {
  const hash = sessionStorage.getItem(RETURN_TO);
  sessionStorage.removeItem(RETURN_TO);
  if (hash && location.hash === '') {
    history.replaceState(null, '', hash);
  }
}
