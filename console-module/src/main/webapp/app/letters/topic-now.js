/** What else is in the topic: whether somebody takes its messages is half of the question. */
import { get, path } from '../api.js';
import { el } from '../dom.js';
import { count, duration } from '../format.js';

/** A line about the topic; `refresh` asks anew. */
export function topicNow(topic) {
  const element = el('p.topic-now', { role: 'status' });

  async function refresh() {
    try {
      element.textContent = words(await get(path('topics', topic)));
    } catch {
      // The letters' own refusal is told below; this line is only beside it.
      element.textContent = '';
    }
  }

  return { element, refresh };
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
