/**
 * Live state of topics: server-sent events, or polling where the server refuses a stream. A
 * hidden tab pauses.
 */
import { get, path, stream } from '../api.js';
import { Problem } from '../problem.js';
import { events } from './events.js';

const POLL_MS = 5_000;
const RECONNECT_MS = 2_000;
/** Longer than the server's keep-alive interval. */
const SILENCE_MS = 20_000;

/**
 * Starts watching.
 *
 * @param view parameters of `GET /v1/events`, `top` or `topic` among them
 * @param update takes the state of the topics
 * @param status takes `live`, `polling`, `paused`, `disconnected` or an error
 * @returns a function that stops it
 */
export function watchTopics(view, update, status) {
  let stopped = false;
  let running = null;

  async function run(signal) {
    while (!signal.aborted) {
      try {
        await follow(view, signal, update, status);
        // The server closes streams regularly.
        await pause(RECONNECT_MS, signal);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        await fallBack(error, view, signal, update, status);
      }
    }
  }

  function onVisibility() {
    if (document.hidden || stopped) {
      running?.abort();
      running = null;
      status('paused');
    } else if (running === null) {
      running = new AbortController();
      run(running.signal);
    }
  }

  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
  return () => {
    stopped = true;
    document.removeEventListener('visibilitychange', onVisibility);
    onVisibility();
  };
}

/** Follows the event stream until it ends or falls silent. */
async function follow(view, signal, update, status) {
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    for await (const { event, data } of events(await stream(`/v1/events?${view}`, both))) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      if (event === 'topics') {
        status('live');
        update(JSON.parse(data));
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Polls once if the stream was refused; otherwise waits to reconnect. */
async function fallBack(error, view, signal, update, status) {
  const isRefused = error instanceof Problem && error.status !== 401 && error.status !== 403;
  if (!isRefused) {
    status(error.name === 'AbortError' ? 'disconnected' : error);
    await pause(RECONNECT_MS, signal);
    return;
  }
  try {
    update(await listed(view, signal));
    status('polling');
  } catch (failed) {
    if (!signal.aborted) {
      status(failed);
    }
  }
  await pause(POLL_MS, signal);
}

/** Asks once, for the same answer as an event of the view. */
async function listed(view, signal) {
  const topic = view.get('topic');
  if (topic !== null) {
    const now = await get(path('topics', topic), undefined, signal);
    return { topics: [{ ...now, scheduled: now.delayed }] };
  }
  const params = new URLSearchParams(view);
  params.set('limit', params.get('top'));
  params.delete('top');
  return get(path('topics'), params, signal);
}

function pause(millis, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(end, millis);
    signal.addEventListener('abort', end);

    function end() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
