/** Cursor paging. The API only pages forward; the pager remembers the cursors of earlier pages. */
import { el } from '../dom.js';

/**
 * Creates the buttons.
 *
 * @param open takes a page's cursor; empty for the first page
 */
export function pager(open) {
  const position = el('span.pager-position');
  const first = button('First page', () => open(''));
  const back = button('Previous', () => open(previous.pop()));
  const forward = button('Next', goForward);
  const element = el('nav.pager', { 'aria-label': 'Pages' }, first, back, forward, position);
  [first, back, forward].forEach((one) => (one.disabled = true));
  let previous = [];
  let current = '';
  let next = '';

  function goForward() {
    previous.push(current);
    open(next);
  }

  return {
    element,
    /** Shows the position within the pages. */
    show(cursor, nextCursor, letters) {
      current = cursor;
      next = nextCursor ?? '';
      if (current === '') {
        previous = [];
      }
      first.disabled = current === '';
      back.disabled = previous.length === 0;
      forward.disabled = next === '';
      position.textContent =
        letters === 0
          ? 'No dead letters'
          : `${letters} on this page${next === '' ? ' (last page)' : ''}`;
    },
    /** Drops the cursors, which belong to one filter. */
    reset() {
      previous = [];
    },
  };
}

function button(label, onclick) {
  return el('button.pf-c-button.pf-m-secondary', { type: 'button', onclick }, label);
}
