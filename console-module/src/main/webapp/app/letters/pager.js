/** Through the pages. The service knows the way on; the way back is remembered here, and by the browser. */
import { el } from '../dom.js';

/**
 * The buttons.
 *
 * @param visit takes a page's cursor, empty for the first
 */
export function pager(visit) {
  const place = el('span.pager-place');
  const first = button('First page', () => visit(''));
  const back = button('Previous', () => visit(before.pop()));
  const on = button('Next', goOn);
  const element = el('nav.pager', { 'aria-label': 'Pages' }, first, back, on, place);
  let before = [];
  let here = '';
  let next = '';

  function goOn() {
    before.push(here);
    visit(next);
  }

  return {
    element,
    /** Shows where one is. */
    show(cursor, nextCursor, letters) {
      here = cursor;
      next = nextCursor ?? '';
      if (here === '') {
        before = [];
      }
      first.disabled = here === '';
      back.disabled = before.length === 0;
      on.disabled = next === '';
      place.textContent =
        letters === 0
          ? 'No dead letters here'
          : `${letters} on this page${next === '' ? ', the last' : ''}`;
    },
    /** Another filter has other pages. */
    forget() {
      before = [];
    },
  };
}

function button(label, onclick) {
  return el('button.pf-c-button.pf-m-secondary', { type: 'button', onclick }, label);
}
