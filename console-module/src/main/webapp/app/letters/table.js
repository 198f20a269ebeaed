/**
 * The letters of one page. With the keyboard: up, down, home and end go through the rows, space picks
 * one, enter opens it. Who may only look has nothing to pick.
 */
import { el, fill } from '../dom.js';
import { count, shortTime, size, visible } from '../format.js';
import { mayAct } from '../session.js';

/** Each with its label and with what stands in it. */
const COLUMNS = [
  ['died', 'Died (UTC)', (letter) => shortTime(letter.dead_at)],
  ['message', 'Message', (letter, href) => message(letter, href)],
  [
    'reason',
    'Reason',
    (letter) => el('span.pf-c-label', {}, el('span.pf-c-label__content', {}, letter.reason)),
  ],
  ['error', 'Last error', (letter) => el('span.letter-error', {}, visible(letter.last_error))],
  ['attempt', 'Deliveries', (letter) => count(letter.attempt)],
  [
    'reprocessed',
    'Brought back',
    (letter) => (letter.reprocessed > 0 ? `${count(letter.reprocessed)} \u00d7` : 'never'),
  ],
  ['size', 'Size', (letter) => size(letter.payload_bytes)],
];

/**
 * The table.
 *
 * @param selection what is picked
 * @param link makes the URL of a letter
 * @param open shows a letter
 */
export function letterTable(selection, link, open) {
  const pick = el('input.pick', {
    type: 'checkbox',
    'aria-label': 'Pick every letter of this page',
    onchange: pickPage,
  });
  const body = el('tbody', { role: 'rowgroup', onkeydown: keys, onclick: clicked });
  const element = el(
    'table.pf-c-table.pf-m-compact.stacks.letters',
    { role: 'grid', 'aria-multiselectable': 'true', 'aria-label': 'Dead letters' },
    el(
      'thead',
      { role: 'rowgroup' },
      el(
        'tr',
        { role: 'row' },
        mayAct() && el('th', { role: 'columnheader', scope: 'col' }, pick),
        COLUMNS.map(([name, label]) =>
          el(`th.column-${name}`, { role: 'columnheader', scope: 'col' }, label),
        ),
      ),
    ),
    body,
  );
  let letters = [];
  selection.addEventListener('change', mark);

  /** Shows a page; the open letter, if it is among them, is marked. */
  function show(page, opened) {
    letters = page;
    fill(
      body,
      page.map((letter) => row(letter, link(letter.msg_id))),
    );
    mark();
    markOpen(opened);
    reach(
      Math.max(
        0,
        page.findIndex((letter) => letter.msg_id === opened),
      ),
    );
  }

  function markOpen(opened) {
    rows().forEach((one) => one.classList.toggle('is-open', one.dataset.id === opened));
  }

  function mark() {
    for (const one of rows()) {
      const isPicked = selection.has(one.dataset.id);
      one.setAttribute('aria-selected', String(isPicked));
      const box = one.querySelector('input');
      if (box !== null) {
        box.checked = isPicked;
      }
    }
    const picked = letters.filter((letter) => selection.has(letter.msg_id)).length;
    pick.checked = picked > 0 && picked === letters.length;
    pick.indeterminate = picked > 0 && picked < letters.length;
  }

  function pickPage() {
    selection.togglePage(letters.map((letter) => letter.msg_id));
  }

  function clicked(event) {
    const one = event.target.closest('tr');
    if (event.target.matches('input')) {
      selection.toggle(one.dataset.id);
    }
    reach(rows().indexOf(one));
  }

  function keys(event) {
    const all = rows();
    const at = all.indexOf(event.target.closest('tr'));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      focus(Math.min(Math.max(to, 0), all.length - 1));
    } else if (event.target === all[at] && event.key === ' ') {
      event.preventDefault();
      if (mayAct()) {
        selection.toggle(all[at].dataset.id);
      }
    } else if (event.target === all[at] && event.key === 'Enter') {
      open(all[at].dataset.id);
    }
  }

  const rows = () => [...body.children];

  /** The one row that the tab key comes to. */
  function reach(index) {
    rows().forEach((one, i) => (one.tabIndex = i === index ? 0 : -1));
  }

  function focus(index) {
    reach(index);
    rows()[index]?.focus();
  }

  return {
    element,
    show,
    markOpen,
    /** Puts the focus on a letter's row, or on the first. */
    focusOn: (id) =>
      focus(
        Math.max(
          0,
          rows().findIndex((one) => one.dataset.id === id),
        ),
      ),
  };
}

function row(letter, href) {
  return el(
    'tr',
    { role: 'row', 'data-id': letter.msg_id, tabindex: '-1' },
    mayAct() &&
      el(
        'td.pick-cell',
        { role: 'gridcell' },
        el('input.pick', {
          type: 'checkbox',
          tabindex: '-1',
          'aria-label': `Pick ${letter.msg_id}`,
        }),
      ),
    COLUMNS.map(([name, label, of]) =>
      el(`td.column-${name}`, { role: 'gridcell', 'data-label': label }, of(letter, href)),
    ),
  );
}

const message = (letter, href) =>
  el(
    'span',
    {},
    el('a.letter-id', { href, tabindex: '-1' }, letter.msg_id),
    el('span.letter-key', {}, visible(letter.idem_key ?? '')),
  );
