/** What is picked, and what may be done with it; viewers have no such bar. */
import { el, fill } from '../dom.js';
import { count, letters } from '../format.js';
import { mayAct } from '../session.js';
import { MOST } from './selection.js';

/**
 * The bar above the table.
 *
 * @param act takes `reprocess` or `discard`
 */
export function pickBar(selection, act) {
  const words = el('span.picked', { role: 'status', tabindex: '-1' });
  const buttons = el('span.pick-buttons');
  const element = el('div.pick-bar', {}, words, buttons);
  let total = { count: 0, isExact: true };

  function draw() {
    words.textContent = said();
    if (!mayAct()) {
      return;
    }
    const hadFocus = buttons.contains(document.activeElement);
    fill(
      buttons,
      !selection.isAll &&
        total.count > 0 &&
        button(`Select all ${matching()} matching`, 'pf-m-link', () => selection.selectAll()),
      !selection.isEmpty && [
        button('Clear selection', 'pf-m-link', () => selection.clear()),
        button('Reprocess \u2026', 'pf-m-primary', () => act('reprocess')),
        button('Discard \u2026', 'pf-m-danger', () => act('discard')),
      ],
    );
    if (hadFocus) {
      (buttons.lastElementChild ?? words).focus();
    }
  }

  function said() {
    if (selection.isAll) {
      return `All ${matching()} matching letters are selected`;
    }
    const { length } = selection.ids;
    const bound = length >= MOST ? ', the most that can be picked one by one' : '';
    return length === 0 ? `${matching()} matching` : `${letters(length)} selected${bound}`;
  }

  const matching = () => `${count(total.count)}${total.isExact ? '' : ' or more'}`;

  selection.addEventListener('change', draw);
  draw();
  return {
    element,
    total(found, isExact) {
      total = { count: found, isExact };
      draw();
    },
  };
}

function button(label, kind, onclick) {
  return el(`button.pf-c-button.${kind}`, { type: 'button', onclick }, label);
}
