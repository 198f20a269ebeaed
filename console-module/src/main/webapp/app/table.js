/** Tables, which narrow containers show as cards. */
import { el, fill } from './dom.js';

/**
 * Creates an empty table.
 *
 * @param name a class of the table
 * @param caption for screen readers
 * @param columns `[head, cell]` of each column; `cell` takes an item, and a head that is no text
 *     labels no cell
 * @param hasRowHeads whether the first cell of each row is its head
 * @param rowAttributes takes an item
 * @returns `{element, body, row(item), show(items)}`
 */
export function table({ name, caption, columns, hasRowHeads = false, rowAttributes = () => ({}) }) {
  const body = el('tbody');
  const cell = ([head, content], i, item) => {
    const isHead = hasRowHeads && i === 0;
    return el(
      isHead ? 'th' : 'td',
      { scope: isHead && 'row', 'data-label': typeof head === 'string' && head },
      // A card places label and content side by side.
      el('div', {}, content(item)),
    );
  };
  const row = (item) =>
    el(
      'tr',
      rowAttributes(item),
      columns.map((column, i) => cell(column, i, item)),
    );
  return {
    element: el(
      'div.table-container',
      {},
      el(
        `table.pf-c-table.pf-m-compact.stacks.${name}`,
        {},
        el('caption.visually-hidden', {}, caption),
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            columns.map(([head]) => el('th', { scope: 'col' }, head)),
          ),
        ),
        body,
      ),
    ),
    body,
    row,
    show: (items) => fill(body, items.map(row)),
  };
}
