/**
 * The topics as they are now, told again and again: by events as they come, or, where there are none
 * to be had, by asking every few seconds. Nobody looks at a hidden tab: there it stands still.
 */
import { get, stream } from '../api.js';
import { Problem } from '../problem.js';
import { events } from './events.js';

const POLL_MS = 5_000;
const PAGE = 1_000;
const AGAIN_MS = 2_000;
/** Longer than the server is ever silent. */
const SILENCE_MS = 20_000;

/**
 * Begins to tell.
 *
 * @param tell takes what an event tells, of all topics
 * @param say takes how it stands: `live`, `polling`, `paused`, or an error
 * @returns what ends it
 */
export function watchTopics(tell, say) {
  let stopped = false;
  let running = null;

  async function run(signal) {
    while (!signal.aborted) {
      try {
        await follow(signal, tell, say);
        // It ends now and then, by intention.
        await pause(AGAIN_MS, signal);
      } catch (error) {
        if (signal.aborted) {
          return;
        }
        await instead(error, signal, tell, say);
      }
    }
  }

  function look() {
    if (document.hidden || stopped) {
      running?.abort();
      running = null;
      say('paused');
    } else if (running === null) {
      running = new AbortController();
      run(running.signal);
    }
  }

  document.addEventListener('visibilitychange', look);
  look();
  return () => {
    stopped = true;
    document.removeEventListener('visibilitychange', look);
    look();
  };
}

/** Tells what comes as events, until the stream ends. */
async function follow(signal, tell, say) {
  const silence = new AbortController();
  const both = AbortSignal.any([signal, silence.signal]);
  let timer = setTimeout(() => silence.abort(), SILENCE_MS);
  try {
    for await (const { event, data } of events(await stream('/v1/events', both))) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
      if (event === 'topics') {
        say('live');
        tell(JSON.parse(data));
      }
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Events are not to be had now: asks once, and waits. */
async function instead(error, signal, tell, say) {
  const isRefused = error instanceof Problem && error.status !== 401 && error.status !== 403;
  if (!isRefused) {
    say(error.name === 'AbortError' ? 'lost' : error);
    await pause(AGAIN_MS, signal);
    return;
  }
  try {
    tell(await everyTopic(signal));
    say('polling');
  } catch (failed) {
    if (!signal.aborted) {
      say(failed);
    }
  }
  await pause(POLL_MS, signal);
}

/** The topics of all pages, as one event would tell them. */
async function everyTopic(signal) {
  const topics = [];
  let page = {};
  do {
    const params = new URLSearchParams({ limit: PAGE });
    if (page.next_cursor !== undefined) {
      params.set('cursor', page.next_cursor);
    }
    page = await get('/v1/topics', params, signal);
    topics.push(...page.topics);
  } while (page.next_cursor !== undefined);
  return { ...page, topics };
}

function pause(millis, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
