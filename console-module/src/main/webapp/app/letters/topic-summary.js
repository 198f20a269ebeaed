/** The state of the topic itself, which tells an idle consumer from a failing one. */
import { get, path } from '../api.js';
import { el } from '../dom.js';
import { count, duration, undeliverable } from '../format.js';

/** Creates the lines about the topic; `refresh` updates them. */
export function topicSummary(topic) {
  const line = el('p.topic-summary', { role: 'status' });
  const waiting = el('p.undeliverable');

  async function refresh() {
    await Promise.all([
      show(line, path('topics', topic), summarize),
      show(waiting, `${path('topics')}?limit=1`, (all) => undeliverable(all.undeliverable)),
    ]);
  }

  return { element: el('div', {}, line, waiting), refresh };
}

async function show(element, url, format) {
  try {
    element.textContent = format(await get(url));
  } catch {
    // Optional beside the list, which reports its own errors.
    element.textContent = '';
  }
}

function summarize(topic) {
  const oldest = topic.ready > 0 ? ` (oldest ${duration(topic.oldest_ready_age_ms)})` : '';
  return [
    `${count(topic.ready)} ready${oldest}`,
    `${count(topic.inflight)} in flight`,
    `${count(topic.delayed)} delayed`,
    topic.paused && 'paused',
    `dead letters retained for ${topic.retention_dlq}`,
    topic.dlq_profile === 'ephemeral' && 'ephemeral: lost when the server stops',
  ]
    .filter(Boolean)
    .join(', ');
}
