/** The messages of a topic that wait for their time. */
import { actionDialog } from '../actions/action-dialog.js';
import { path } from '../api.js';
import { el } from '../dom.js';
import { count, shortTime, visible } from '../format.js';
import { href } from '../router.js';
import { isAdministrator } from '../session.js';
import { listPage } from './list-page.js';

const MOST = 100;

/** Opens the tab. */
export function scheduledPage(container, { parts: [, topic] }) {
  const page = listPage(container, {
    topic,
    tab: 'scheduled',
    title: `Scheduled messages of ${topic}`,
    params: { limit: String(MOST) },
    columns: [
      ['Due (UTC)', ({ due }) => shortTime(due)],
      ['Message', ({ msg_id: id }) => el('a', { href: href(['messages', id]) }, id)],
      ['Key', ({ idem_key: key }) => visible(key)],
      ['Attempt', ({ attempt }) => count(attempt)],
      ['Last error', ({ last_error: error }) => visible(error)],
      ['Action', (message) => isAdministrator() && cancelButton(message)],
    ],
    read: ({ messages, next_cursor: next }) => ({
      rows: messages,
      text: summarize(messages.length, next !== undefined),
    }),
  });

  const cancelButton = ({ msg_id: id }) =>
    el(
      'button.pf-c-button.pf-m-secondary.pf-m-small',
      { type: 'button', 'aria-label': `Cancel ${id}`, onclick: () => cancel(id) },
      'Cancel',
    );

  function cancel(id) {
    actionDialog({
      title: `Cancel ${id}?`,
      label: 'Cancel message',
      isDanger: true,
      parts: el('p', {}, 'Nobody will receive it. Its key stays taken until its window ends.'),
      right: () => ({ op: 'admin', topic }),
      request: () => ({ method: 'DELETE', path: path('topics', topic, 'scheduled', id) }),
      done() {
        page.refresh();
        return `${id} is cancelled.`;
      },
    });
  }

  return page;
}

function summarize(shown, hasMore) {
  if (shown === 0) {
    return 'No message waits for its time.';
  }
  return hasMore ? `The ${count(shown)} soonest messages` : `${count(shown)} scheduled, soonest first`;
}
