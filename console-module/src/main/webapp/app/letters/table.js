/**
 * The table of dead letters. A click or Enter opens a row; the arrow keys, Home and End move
 * between rows, and Space selects one. Viewers cannot select.
 */
import { el, fill } from '../dom.js';
import { count, shortTime, size, visible } from '../format.js';
import { isOperator } from '../session.js';

/** Name, header and cell content of each column. */
const COLUMNS = [
  ['died', 'Dead-lettered (UTC)', (letter) => shortTime(letter.dead_at)],
  ['message', 'Message', (letter, href) => message(letter, href)],
  [
    'reason',
    'Reason',
    (letter) => el('span.pf-c-label', {}, el('span.pf-c-label__content', {}, letter.reason)),
  ],
  ['error', 'Last error', (letter) => el('span.letter-error', {}, visible(letter.last_error))],
  ['attempt', 'Attempts', (letter) => count(letter.attempt)],
  [
    'reprocessed',
    'Redriven',
    (letter) => (letter.reprocessed > 0 ? `${count(letter.reprocessed)} \u00d7` : 'Never'),
  ],
  ['size', 'Size', (letter) => size(letter.payload_bytes)],
];

/**
 * Creates the table.
 *
 * @param selection the shared selection
 * @param link takes an id and returns the URL of its details
 * @param open takes the id to show
 */
export function letterTable(selection, link, open) {
  const selectPage = el('input.select', {
    type: 'checkbox',
    'aria-label': 'Select all on this page',
    onchange: togglePage,
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
        isOperator() && el('th', { role: 'columnheader', scope: 'col' }, selectPage),
        COLUMNS.map(([name, label]) =>
          el(`th.column-${name}`, { role: 'columnheader', scope: 'col' }, label),
        ),
      ),
    ),
    body,
  );
  let letters = [];
  selection.addEventListener('change', mark);

  /** Shows a page and marks the open letter. */
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
      const isSelected = selection.has(one.dataset.id);
      one.setAttribute('aria-selected', String(isSelected));
      const box = one.querySelector('input');
      if (box !== null) {
        box.checked = isSelected;
      }
    }
    const selected = letters.filter((letter) => selection.has(letter.msg_id)).length;
    selectPage.checked = selected > 0 && selected === letters.length;
    selectPage.indeterminate = selected > 0 && selected < letters.length;
  }

  function togglePage() {
    selection.togglePage(letters.map((letter) => letter.msg_id));
  }

  function clicked(event) {
    const one = event.target.closest('tr');
    reach(rows().indexOf(one));
    if (event.target.closest('.select-cell') !== null) {
      selection.toggle(one.dataset.id);
    } else if (event.target.closest('a') === null && !hasSelectedText(one)) {
      open(one.dataset.id);
    }
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
      if (isOperator()) {
        selection.toggle(all[at].dataset.id);
      }
    } else if (event.target === all[at] && event.key === 'Enter') {
      open(all[at].dataset.id);
    }
  }

  const rows = () => [...body.children];

  /** Makes one row the tab stop. */
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
    /** Focuses a letter's row, or the first. */
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
    isOperator() &&
      el(
        'td.select-cell',
        { role: 'gridcell' },
        el('input.select', {
          type: 'checkbox',
          tabindex: '-1',
          'aria-label': `Select ${letter.msg_id}`,
        }),
      ),
    COLUMNS.map(([name, label, of]) =>
      el(`td.column-${name}`, { role: 'gridcell', 'data-label': label }, of(letter, href)),
    ),
  );
}

/** A drag that selects text to copy ends with a click, too. */
function hasSelectedText(element) {
  const text = getSelection();
  return !text.isCollapsed && element.contains(text.anchorNode);
}

const message = (letter, href) =>
  el(
    'span',
    {},
    el('a.letter-id', { href, tabindex: '-1' }, letter.msg_id),
    el('span.letter-key', {}, visible(letter.idem_key ?? '')),
  );
