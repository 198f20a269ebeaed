/** Open streams of messages with their holders, for operators. */
import { get, path } from '../api.js';
import { el } from '../dom.js';
import { count, shortTime } from '../format.js';
import { isOperator } from '../session.js';
import { table } from '../table.js';

const POLL_MS = 5_000;

/** The server lists no more. */
const MAX_ROWS = 100;

const DOORS = { http: 'HTTP', grpc: 'gRPC' };

const COLUMNS = [
  ['Topic', ({ topic }) => topic],
  ['Door', ({ door }) => DOORS[door]],
  ['Capability', ({ capability }) => el('code', {}, capability)],
  ['Since (UTC)', ({ since }) => shortTime(since)],
  ['Unsettled', ({ unsettled }) => count(unsettled)],
  ['Paused', ({ paused }) => paused ?? '\u2013'],
];

/** Watches the streams; `close` ends it. Without streams, or for viewers, it shows nothing. */
export function openStreams() {
  const list = table({
    name: 'streams',
    caption: 'Open streams',
    columns: COLUMNS,
    hasRowHeads: true,
  });
  const heading = el('h2.pf-c-title.pf-m-xl');
  const element = el(
    'section.streams',
    { hidden: true, 'aria-label': 'Open streams' },
    heading,
    list.element,
  );
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
    heading.textContent = title(streams.length);
    list.show(streams);
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
