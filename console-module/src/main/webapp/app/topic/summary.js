/** The state of the topic itself, live, which tells an idle consumer from a failing one. */
import { pauseDialog, resume } from '../actions/pause-dialog.js';
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { count, deadLetters, duration, incomplete, undeliverable } from '../format.js';
import { panel } from '../problem.js';
import { may } from '../session.js';
import { liveBadge } from '../topics/live-badge.js';
import { watchTopics } from '../topics/live.js';

/**
 * Creates the lines about the topic and what pauses it. The live ones are no status, which would
 * be announced every two seconds.
 *
 * @param gone called when there is no such topic, or no more
 * @returns `{badge, toggle, element, refresh(), listen(listener), close()}`; the listener takes each
 *     state
 */
export function topicSummary(topic, gone) {
  const badge = liveBadge();
  const line = el('p.topic-summary');
  const waiting = el('p.undeliverable');
  const partial = el('p.incomplete');
  const failure = el('div');
  const toggle = el('button.pf-c-button.pf-m-secondary', { type: 'button', hidden: true });
  let state = {};
  let listener = () => {};
  const stop = watchTopics(new URLSearchParams({ topic }), live, told);

  function live({ topics: [now], counted }) {
    partial.textContent = incomplete(counted);
    show(now);
  }

  /** Reads what no event tells. */
  async function refresh() {
    await Promise.all([
      optional(path('topics', topic), (now) => show({ ...now, scheduled: now.delayed })),
      optional(`${path('topics')}?limit=1`, (all) => {
        waiting.textContent = undeliverable(all.undeliverable);
      }),
    ]);
  }

  function show(now) {
    state = { ...state, ...now };
    line.textContent = summarize(state);
    toggle.textContent = state.paused ? 'Resume deliveries' : 'Pause deliveries';
    toggle.onclick = state.paused ? resumeNow : () => pauseDialog(topic, refresh);
    toggle.hidden = !may('pause');
    listener(state);
  }

  function told(next) {
    const isError = next instanceof Error;
    badge.set(isError ? 'disconnected' : next);
    // No topic has a malformed name.
    if (isError && (next.status === 404 || next.status === 400)) {
      stop();
      gone();
    }
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

  return {
    badge: badge.element,
    toggle,
    element: el('div', {}, line, partial, waiting, failure),
    refresh,
    listen(next) {
      listener = next;
    },
    close() {
      stop();
      badge.close();
    },
  };
}

/** Optional beside the tab, which reports its own errors. */
async function optional(url, use) {
  try {
    use(await get(url));
  } catch {
    // The tab asked the same server.
  }
}

function summarize(topic) {
  const oldest = topic.ready > 0 ? ` (oldest ${duration(topic.oldest_ready_age_ms)})` : '';
  return [
    topic.paused && 'paused',
    `${count(topic.ready)} ready${oldest}`,
    `${count(topic.scheduled)} scheduled`,
    `${count(topic.inflight)} in flight`,
    deadLetters(topic.dlq),
    topic.retention_dlq && `dead letters kept for ${topic.retention_dlq}`,
    topic.dlq_profile === 'ephemeral' && 'ephemeral: lost when the server stops',
  ]
    .filter(Boolean)
    .join(', ');
}
