/**
 * A banner on every page that says what the server refuses. It asks `/readyz`, which needs no
 * capability. A hidden tab asks nothing.
 */
import { el, fill } from './dom.js';
import { clock, visible } from './format.js';

const POLL_MS = 5_000;
/** The server answers from memory. With the interval, a silent one shows within ten seconds. */
const PATIENCE_MS = 4_000;

/** The calls that a part stops, where its kind of calls does not say it all. */
const STOPS = {
  database: 'SEND (repeated keys and new topics; every SEND once a log is full), console',
  projection: 'SEND (once a log is full)',
};
const STOPS_BY_KIND = { writes: 'SEND', reads: 'SEND, RECV, console', life: 'everything' };

const container = () => document.getElementById('connection');

let isDisconnected = false;
let answeredAt = Date.now();
/** The parts that are down, as `{name, since, stops, why}`. */
let parts = [];
let timer = 0;
let shown = '';
const reconnects = new Set();
const changes = new Set();

/** Calls the listener whenever the server answers again, or every part is up again. */
export function onReconnect(listener) {
  reconnects.add(listener);
  return () => reconnects.delete(listener);
}

/** Calls the listener whenever the banner changes; returns a function that stops it. */
export function onOutage(listener) {
  changes.add(listener);
  return () => changes.delete(listener);
}

/** Since when something is refused, in epoch milliseconds; null while nothing is. */
export function outageSince() {
  if (isDisconnected) {
    return answeredAt;
  }
  return parts.length === 0 ? null : Math.min(...parts.map(({ since }) => since));
}

/** Starts to ask, and asks for as long as the tab is open and shown. */
export function watchReadiness() {
  document.addEventListener('visibilitychange', look);
  addEventListener('offline', disconnected);
  addEventListener('online', look);
  look();
}

/** Records a request that got no response. */
export function disconnected() {
  isDisconnected = true;
  show();
}

/** Records a response. */
export function connected() {
  answeredAt = Date.now();
  if (isDisconnected) {
    isDisconnected = false;
    show();
    reconnects.forEach((listener) => listener());
  }
}

async function look() {
  clearTimeout(timer);
  if (document.hidden) {
    return;
  }
  const report = await ask();
  clearTimeout(timer);
  timer = setTimeout(look, POLL_MS);
  if (report === null) {
    disconnected();
  } else {
    connected();
    update(report.checks.filter(({ status }) => status === 'DOWN').map(part));
  }
}

/** Returns null without a report; a server that starts or stops answers without one. */
async function ask() {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch('/readyz', { cache: 'no-store', credentials: 'omit', signal });
    return await response.json();
  } catch {
    return null;
  }
}

function part({ name, data = {} }) {
  return {
    name,
    since: Date.parse(data.since) || Date.now(),
    stops: STOPS[name] ?? STOPS_BY_KIND[data.affects] ?? STOPS_BY_KIND.reads,
    why: data.detail ?? '',
  };
}

function update(next) {
  const isOver = parts.length > 0 && next.length === 0;
  parts = next;
  show();
  if (isOver) {
    reconnects.forEach((listener) => listener());
  }
}

/** Renders only changes, because screen readers announce each; numbers within a reason are none. */
function show() {
  const lines = isDisconnected ? [unreachable()] : parts.map(line);
  const key = ({ name, since, why }) => `${name} ${since} ${why.replace(/\d+/g, '#')}`;
  const next = isDisconnected ? `none since ${answeredAt}` : parts.map(key).join('\n');
  if (next === shown) {
    return;
  }
  shown = next;
  fill(
    container(),
    lines.length > 0 &&
      el(
        'div.pf-c-banner.pf-m-red.frame-outage',
        {},
        lines.map((text) => el('p', {}, text)),
      ),
  );
  changes.forEach((listener) => listener());
}

const unreachable = () =>
  `No connection to the server since ${clock(answeredAt)}. Refused: console; SEND and RECV are` +
  ' unknown. Reconnecting \u2026';

const line = ({ name, since, stops, why }) =>
  `Since ${clock(since)} ${name} is down. Refused: ${stops}.${why === '' ? '' : ` ${visible(why)}.`}`;
