/** What else is in the topic: whether somebody takes its messages is half of the question. */
import { get, path } from '../api.js';
import { el } from '../dom.js';
import { count, duration, notYetLetters } from '../format.js';

/** Lines about the topic; `refresh` asks again. */
export function topicNow(topic) {
  const line = el('p.topic-now', { role: 'status' });
  const unsorted = el('p.undeliverable');

  async function refresh() {
    await Promise.all([
      show(line, path('topics', topic), words),
      show(unsorted, `${path('topics')}?limit=1`, (all) => notYetLetters(all.undeliverable)),
    ]);
  }

  return { element: el('div', {}, line, unsorted), refresh };
}

async function show(element, url, say) {
  try {
    element.textContent = say(await get(url));
  } catch {
    // The letters' own refusal is told below; this line is only beside it.
    element.textContent = '';
  }
}

function words(topic) {
  return [
    `${count(topic.ready)} ready`,
    topic.ready > 0 && `the oldest for ${duration(topic.oldest_ready_age_ms)}`,
    `${count(topic.inflight)} in flight`,
    `${count(topic.delayed)} delayed`,
    topic.paused && 'paused',
    `dead letters are kept for ${topic.retention_dlq}`,
    topic.dlq_profile === 'ephemeral' && 'and only as long as the server runs',
  ]
    .filter(Boolean)
    .join(', ');
}
