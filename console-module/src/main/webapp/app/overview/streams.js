/** Open streams of messages with their holders, for operators. */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { count, shortTime } from '../format.js';
import { isOperator } from '../session.js';

const POLL_MS = 5_000;

/** The server lists no more. */
const MAX_ROWS = 100;

const COLUMNS = ['Topic', 'Door', 'Capability', 'Since (UTC)', 'Unsettled', 'Paused'];
const DOORS = { http: 'HTTP', grpc: 'gRPC' };

/** Watches the streams; `close` ends it. Without streams, or for viewers, it shows nothing. */
export function openStreams() {
  const element = el('section.streams', { hidden: true, 'aria-label': 'Open streams' });
  const ended = new AbortController();
  let timer = 0;

  async function look() {
    if (isOperator() && !document.hidden) {
      try {
        show((await get(path('streams'), undefined, ended.signal)).streams);
      } catch {
        // The topics above tell that the server is away.
      }
    }
    if (!ended.signal.aborted) {
      timer = setTimeout(look, POLL_MS);
    }
  }

  function show(streams) {
    element.hidden = streams.length === 0;
    fill(element, el('h2.pf-c-title.pf-m-xl', {}, title(streams.length)), table(streams));
  }

  look();
  return {
    element,
    close() {
      ended.abort();
      clearTimeout(timer);
    },
  };
}

const title = (open) =>
  open < MAX_ROWS ? 'Open streams' : `The ${count(MAX_ROWS)} oldest open streams`;

function table(streams) {
  const heads = COLUMNS.map((label) => el('th', { scope: 'col' }, label));
  return el(
    'div.table-container',
    {},
    el(
      'table.pf-c-table.pf-m-compact.stacks.streams',
      {},
      el('caption.visually-hidden', {}, 'Open streams'),
      el('thead', {}, el('tr', {}, heads)),
      el('tbody', {}, streams.map(row)),
    ),
  );
}

function row({ topic, door, capability, since, unsettled, paused }) {
  const cells = [
    topic,
    DOORS[door],
    el('code', {}, capability),
    shortTime(since),
    count(unsettled),
    paused ?? '\u2013',
  ];
  return el(
    'tr',
    {},
    cells.map((cell, i) =>
      el(i === 0 ? 'th' : 'td', { 'data-label': COLUMNS[i], scope: i === 0 ? 'row' : null }, cell),
    ),
  );
}
