/** The leases of a topic and their holders. */
import { actionDialog } from '../actions/action-dialog.js';
import { labelled, noteField } from '../actions/dialog.js';
import { path } from '../api.js';
import { el } from '../dom.js';
import { actor, count, shortTime, size } from '../format.js';
import { href } from '../router.js';
import { isAdministrator } from '../session.js';
import { listPage } from './list-page.js';

const MOST = 100;

/** Opens the tab. */
export function leasesPage(container, { parts: [, topic] }) {
  const chosen = new Set();
  const endChosen = button('End selected leases', 'end-selected', () =>
    end({ msg_ids: [...chosen] }, `the ${chosen.size} selected leases`),
  );
  const endAll = button('End all leases', 'end-all', () => end({ all: true }, 'all leases'));
  endChosen.disabled = true;

  const page = listPage(container, {
    topic,
    tab: 'leases',
    title: `Leases of ${topic}`,
    params: { limit: String(MOST) },
    buttons: isAdministrator() ? [endChosen, endAll] : [],
    columns: [
      ...(isAdministrator() ? [['Select', checkbox]] : []),
      ['Leased (UTC)', (lease) => shortTime(lease.leased_at)],
      ['Ends (UTC)', (lease) => shortTime(lease.deadline)],
      ['Latest end (UTC)', (lease) => shortTime(lease.until)],
      ['Message', ({ msg_id: id }) => el('a', { href: href(['messages', id]) }, id)],
      ['Shard', ({ shard }) => count(shard)],
      ['Attempt', ({ attempt }) => count(attempt)],
      ['Payload', (lease) => size(lease.payload_bytes)],
      ['Holder', (lease) => (lease.holder === undefined ? '\u2013' : holderCell(lease))],
    ],
    read({ leases }) {
      chosen.clear();
      endChosen.disabled = true;
      return { rows: leases, text: summarize(leases.length) };
    },
  });

  function checkbox({ msg_id: id }) {
    return el('input', {
      type: 'checkbox',
      'aria-label': `Select ${id}`,
      onchange({ target }) {
        target.checked ? chosen.add(id) : chosen.delete(id);
        endChosen.disabled = chosen.size === 0;
      },
    });
  }

  const holderCell = ({ holder, holder_name: name }) => [
    el('a', { href: href(['capabilities'], new URLSearchParams({ kind: 'all', holder })) }, actor(holder, name)),
    isAdministrator() && [
      ' ',
      el(
        'button.pf-c-button.pf-m-link.pf-m-inline',
        {
          type: 'button',
          'aria-label': `End all leases of ${holder}`,
          onclick: () => end({ holder }, `all leases of ${holder}`),
        },
        'End its leases',
      ),
    ],
  ];

  function end(which, named) {
    const note = noteField();
    actionDialog({
      title: `End ${named}?`,
      label: 'End leases',
      isDanger: true,
      parts: [
        el(
          'p',
          {},
          'As if their time had run out: each counts as an attempt, and the messages are ready for ',
          'other consumers, or dead letters after their last attempt.',
        ),
        labelled('Audit note', note),
      ],
      isReady: () => note.value.trim() !== '',
      right: () => ({ op: 'admin', topic }),
      request: () => ({
        method: 'POST',
        path: path('topics', topic, 'leases', 'end'),
        body: { ...which, note: note.value.trim() },
      }),
      done({ ended }) {
        page.refresh();
        return ended === 1 ? '1 lease has ended.' : `${count(ended)} leases have ended.`;
      },
    });
  }

  return page;
}

const button = (text, action, onclick) =>
  el('button.pf-c-button.pf-m-secondary', { type: 'button', 'data-action': action, onclick }, text);

function summarize(shown) {
  if (shown === 0) {
    return 'Nobody holds a message of this topic.';
  }
  return shown === MOST ? `The ${MOST} oldest leases` : `${count(shown)} held, oldest first`;
}
