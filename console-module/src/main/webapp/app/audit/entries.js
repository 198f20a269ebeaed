/** The audit's entries as the API exports them: oldest first, page by page. */
import { text } from '../api.js';

/** More than these are for the export. */
const SHOWN = 500;
const AT_ONCE = 10_000;
const DAY_MS = 86_400_000;

/** The export is oldest first; the newest are at the end of its last pages. */
export async function newest(view, signal) {
  let last = [];
  let isWhole = true;
  for await (const lines of pages(view, signal)) {
    last = [
      ...last,
      ...lines
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    ];
    isWhole &&= last.length <= SHOWN;
    last = last.slice(-SHOWN);
  }
  return { entries: last.reverse(), isWhole };
}

/** All that fits, page by page, each the lines as the API has them; nothing is behind the last. */
export async function* pages({ action, subject, days }, signal) {
  const since = new Date(Date.now() - Number(days) * DAY_MS).toISOString();
  const params = new URLSearchParams({ since, limit: String(AT_ONCE) });
  action && params.set('action', action);
  subject && params.set('subject', subject);
  for (;;) {
    const lines = await text('/v1/audit', params, signal);
    if (lines === '') {
      return;
    }
    yield lines;
    params.set('after', String(JSON.parse(lines.trimEnd().split('\n').at(-1)).no));
  }
}
