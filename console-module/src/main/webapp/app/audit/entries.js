/** Reads the audit log through its export, which is oldest first. */
import { text } from '../api.js';

const MAX_SHOWN = 500;
const PAGE_SIZE = 10_000;
const DAY_MS = 86_400_000;

/** The newest entries, newest first; `isComplete` is false if older ones were left out. */
export async function newest(view, signal) {
  let last = [];
  let isComplete = true;
  for await (const lines of pages(view, signal)) {
    last = [
      ...last,
      ...lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    ];
    isComplete &&= last.length <= MAX_SHOWN;
    last = last.slice(-MAX_SHOWN);
  }
  return { entries: last.reverse(), isComplete };
}

/** All matching entries as NDJSON, page by page. */
export async function* pages({ action, subject, actor, days }, signal) {
  const since = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
  const params = new URLSearchParams({ since, limit: String(PAGE_SIZE) });
  action && params.set('action', action);
  subject && params.set('subject', subject);
  actor && params.set('actor_name', actor);
  for (;;) {
    const lines = await text('/v1/audit', params, signal);
    if (lines === '') {
      return;
    }
    yield lines;
    params.set('after', String(JSON.parse(lines.trimEnd().split('\n').at(-1)).no));
  }
}
