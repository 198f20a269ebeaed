/** The state of the topic itself, which tells an idle consumer from a failing one. */
import { pauseDialog, resume } from '../actions/pause-dialog.js';
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { count, duration, undeliverable } from '../format.js';
import { panel } from '../problem.js';
import { may } from '../session.js';

/** Creates the lines about the topic and what pauses it; `refresh` updates them. */
export function topicSummary(topic) {
  const line = el('p.topic-summary', { role: 'status' });
  const waiting = el('p.undeliverable');
  const failure = el('div');
  const toggle = el('button.pf-c-button.pf-m-secondary', { type: 'button', hidden: true });

  async function refresh() {
    await Promise.all([
      show(line, path('topics', topic), (state) => {
        offer(state.paused);
        return summarize(state);
      }),
      show(waiting, `${path('topics')}?limit=1`, (all) => undeliverable(all.undeliverable)),
    ]);
  }

  function offer(isPaused) {
    toggle.textContent = isPaused ? 'Resume deliveries' : 'Pause deliveries';
    toggle.onclick = isPaused ? resumeNow : () => pauseDialog(topic, refresh);
    toggle.hidden = !may('pause');
  }

  async function resumeNow() {
    toggle.disabled = true;
    try {
      await resume(topic);
      failure.replaceChildren();
      await refresh();
    } catch (error) {
      fill(failure, panel(error));
    } finally {
      toggle.disabled = false;
    }
  }

  const actions = el('div.page-head', {}, toggle);
  return { element: el('div', {}, line, waiting, actions, failure), refresh };
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
