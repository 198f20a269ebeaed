/** The number of matches and the bulk actions on the selection; viewers only see the number. */
import { el, fill } from '../dom.js';
import { count, deadLetters } from '../format.js';
import { isOperator } from '../session.js';
import { MAX_IDS } from './selection.js';

/**
 * Creates the bar above the table.
 *
 * @param act takes the API's action, `reprocess` or `discard`
 */
export function selectionBar(selection, act) {
  const status = el('span.selected', { role: 'status', tabindex: '-1' });
  const buttons = el('span.selection-buttons');
  const element = el('div.selection-bar', {}, status, buttons);
  /** Null while the number is not known. */
  let total = null;
  let unknown = 'Loading \u2026';

  function draw() {
    status.textContent = describe();
    if (!isOperator()) {
      return;
    }
    const hadFocus = buttons.contains(document.activeElement);
    fill(
      buttons,
      !selection.isAll &&
        total?.count > 0 &&
        button(`Select all ${matches()} matching`, 'pf-m-link', () => selection.selectAll()),
      !selection.isEmpty && [
        button('Clear selection', 'pf-m-link', () => selection.clear()),
        button('Redrive \u2026', 'pf-m-primary', () => act('reprocess')),
        button('Discard \u2026', 'pf-m-danger', () => act('discard')),
      ],
    );
    if (hadFocus) {
      (buttons.lastElementChild ?? status).focus();
    }
  }

  function describe() {
    if (selection.isAll) {
      return `All ${matches()} matching dead letters selected`;
    }
    const { length } = selection.ids;
    const limit = length >= MAX_IDS ? ' (the maximum by id)' : '';
    if (length > 0) {
      return `${deadLetters(length)} selected${limit}`;
    }
    return total === null ? unknown : `${matches()} matching`;
  }

  const matches = () => `${count(total.count)}${total.isExact ? '' : ' or more'}`;

  selection.addEventListener('change', draw);
  draw();
  return {
    element,
    total(found, isExact) {
      total = found === null ? null : { count: found, isExact };
      unknown = '';
      draw();
    },
  };
}

function button(label, kind, onclick) {
  return el(`button.pf-c-button.${kind}`, { type: 'button', onclick }, label);
}
