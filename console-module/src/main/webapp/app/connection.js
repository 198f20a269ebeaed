/** Connection state: a banner while the server is unreachable, and a probe for its return. */
import { el, fill } from './dom.js';

const RETRY_MS = 3_000;
const container = () => document.getElementById('connection');

let isDisconnected = false;
let timer = 0;
const listeners = new Set();

/** Calls the listener whenever the connection is restored. */
export function onReconnect(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Records a request that got no response. */
export function disconnected() {
  if (isDisconnected) {
    return;
  }
  isDisconnected = true;
  fill(
    container(),
    el(
      'div.pf-c-banner.pf-m-red.frame-disconnected',
      {},
      'No connection to the server. Data may be out of date. Reconnecting \u2026',
    ),
  );
  timer = setTimeout(probe, RETRY_MS);
}

/** Records a response. */
export function connected() {
  if (!isDisconnected) {
    return;
  }
  isDisconnected = false;
  clearTimeout(timer);
  fill(container());
  listeners.forEach((listener) => listener());
}

async function probe() {
  try {
    await fetch('/healthz', { cache: 'no-store', credentials: 'omit' });
    connected();
  } catch {
    timer = setTimeout(probe, RETRY_MS);
  }
}

addEventListener('offline', disconnected);
addEventListener('online', probe);
