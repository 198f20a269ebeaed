/**
 * The signed-in user and the short-lived capability of the session. The capability lives in this
 * module's memory only, never in storage or a URL, and is renewed before it expires.
 */
import { Offline, Problem } from './problem.js';

const RENEW_AHEAD_MS = 60_000;
const RETRY_MS = 5_000;
/** How long before its end a session warns; half of what is left of a shorter one. */
const WARN_AHEAD_MS = 120_000;

let current = null;
let timer = 0;
let pending = null;
let isActive = true;
const listeners = new Set();

let endTimer = 0;
let longestLeft = 0;
let isEnding = false;
const endListeners = new Set();

/** Calls the listener whenever the signed-in user changes. */
export function onSession(listener) {
  listeners.add(listener);
}

/** Calls the listener with whether the session ends within two minutes, whenever that changes. */
export function onSessionEnding(listener) {
  endListeners.add(listener);
}

/** Whether the session ends within two minutes. */
export const isSessionEnding = () => isEnding;

/** Whether to offer a change of the password: the server keeps it. */
export const canChangePassword = () => current?.password_change === true;

/** The user as `{user, role}`, or null without a session. */
export const currentUser = () =>
  current === null ? null : { user: current.user, role: current.role };

/** Whether to offer what needs this operation; the server enforces the permission. */
export const may = (op) => current?.ops.includes(op) === true;

/** Whether to offer operator actions. */
export const isOperator = () => may('dlq');

/** Whether to offer what an administrator does with an elevated capability. */
export const isAdministrator = () => current?.role === 'administrator';

/** How users confirm that it is them: `password` or `provider`. */
export const confirmation = () => current?.confirm;

/** The authorization header of API calls. */
export const authorization = () =>
  current === null ? {} : { Authorization: `Bearer ${current.capability}` };

/** Exchanges the session for a capability; resolves to false without a session. */
export function renew() {
  pending ??= exchange().finally(() => (pending = null));
  return pending;
}

async function exchange() {
  // An unattended page must not keep the session alive.
  const response = await call('capability', isActive ? '1' : 'quiet');
  isActive = false;
  if (response.status === 204 || response.status === 401 || response.status === 403) {
    update(null);
    return false;
  }
  if (!response.ok) {
    throw new Offline(`The session could not be renewed: HTTP status ${response.status}`);
  }
  update(await response.json());
  return true;
}

/**
 * Posts JSON to one of the session's calls and parses the JSON response; null without one.
 *
 * @param action such as `elevate`
 */
export async function command(action, body) {
  const response = await call(action, '1', JSON.stringify(body), {
    'Content-Type': 'application/json',
  });
  if (response.ok) {
    return response.status === 204 ? null : response.json();
  }
  const problem = await Problem.of(response);
  if (problem.status === 401 && problem.reason !== 'confirm') {
    update(null);
  }
  throw problem;
}

async function call(action, header, body = undefined, headers = {}) {
  try {
    return await fetch(`/console/session/${action}`, {
      method: 'POST',
      body,
      headers: { 'Mailbox-Console': header, ...headers },
      cache: 'no-store',
    });
  } catch (cause) {
    throw new Offline('The server did not respond', { cause });
  }
}

function update(next) {
  const before = current;
  current = next;
  clearTimeout(timer);
  if (current !== null) {
    const left = new Date(current.expires).getTime() - Date.now();
    timer = setTimeout(renewQuietly, Math.max(RETRY_MS, Math.min(left - RENEW_AHEAD_MS, left / 2)));
  }
  watchEnd(current === null ? Infinity : current.session_ends_in_s * 1000);
  if (before?.user !== current?.user || before?.role !== current?.role) {
    listeners.forEach((listener) => listener());
  }
}

/** Asks again when the session should warn or end: another tab may have kept it alive. */
function watchEnd(left) {
  clearTimeout(endTimer);
  longestLeft = left === Infinity ? 0 : Math.max(longestLeft, left);
  const ahead = Math.min(WARN_AHEAD_MS, longestLeft / 2);
  const wasEnding = isEnding;
  isEnding = left <= ahead;
  if (left !== Infinity) {
    endTimer = setTimeout(renewQuietly, isEnding ? left + 1000 : left - ahead);
  }
  if (isEnding !== wasEnding) {
    endListeners.forEach((listener) => listener(isEnding));
  }
}

async function renewQuietly() {
  try {
    await renew();
  } catch {
    // API calls report the failure to the user; this only retries.
    clearTimeout(timer);
    timer = setTimeout(renewQuietly, RETRY_MS);
  }
}

/** Ends the session on the server and forgets the capability. */
export async function signOut() {
  await call('end', '1');
  update(null);
}

/** Changes the user's password. The browser's session continues under another id. */
export async function changePassword(old, next) {
  const response = await call('password', '1', new URLSearchParams({ current: old, next }));
  if (response.status === 401) {
    update(null);
  }
  if (!response.ok) {
    throw await Problem.of(response);
  }
  // A renewal that began with the old session must not have the last word.
  await pending?.catch(() => {});
  await renewQuietly();
}

/** The provider's sign-in, which confirms that it is the user; it returns as the next one. */
export const confirmUrl = () =>
  `/console/signin?confirm=1&to=${encodeURIComponent(location.hash)}`;

/** The sign-in form; it returns to the current place of the console. */
export const signInUrl = () => `/console/signin?to=${encodeURIComponent(location.hash)}`;

for (const event of ['pointerdown', 'keydown']) {
  addEventListener(event, () => (isActive = true), { capture: true, passive: true });
}
