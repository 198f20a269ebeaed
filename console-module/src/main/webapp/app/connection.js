/** Whether the server answers, told above the page; while it does not, somebody keeps asking. */
import { el, fill } from './dom.js';

const ASK_AGAIN_MS = 3_000;
const place = () => document.getElementById('connection');

let isLost = false;
let timer = 0;
const listeners = new Set();

/** Calls the listener when the server is there again after it was not. */
export function onReturn(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The server did not answer. */
export function lost() {
  if (isLost) {
    return;
  }
  isLost = true;
  fill(
    place(),
    el(
      'div.pf-c-banner.pf-m-red.frame-lost',
      {},
      'No connection to the server. What you see may be old; trying again.',
    ),
  );
  timer = setTimeout(ask, ASK_AGAIN_MS);
}

/** The server answered. */
export function answered() {
  if (!isLost) {
    return;
  }
  isLost = false;
  clearTimeout(timer);
  fill(place());
  listeners.forEach((listener) => listener());
}

async function ask() {
  try {
    await fetch('/healthz', { cache: 'no-store', credentials: 'omit' });
    answered();
  } catch {
    timer = setTimeout(ask, ASK_AGAIN_MS);
  }
}

addEventListener('offline', lost);
addEventListener('online', ask);
