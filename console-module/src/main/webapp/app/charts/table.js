/** The data of a chart as a table, filled while it is open. */
import { el, fill } from '../dom.js';

/** Creates a closed table. */
export function chartTable(title, lines) {
  const name = `${title}, table`;
  const box = el('div.table-container', { tabindex: 0, role: 'region', 'aria-label': name });
  const element = el('details.chart-table', { ontoggle: show }, el('summary', {}, 'Table'), box);
  let rows = () => [];

  /** Takes the number of points, their times, and the text of a line at a point. */
  function update(count, timeOf, text) {
    rows = () =>
      Array.from({ length: count }, (_, i) => count - 1 - i).map((i) =>
        el(
          'tr',
          {},
          el('th', { scope: 'row' }, timeOf(i)),
          lines.map((line) => el('td', {}, text(line, i))),
        ),
      );
    show();
  }

  function show() {
    if (element.open) {
      const heads = ['Time', ...lines.map(({ label }) => label)];
      fill(
        box,
        el(
          'table.pf-c-table.pf-m-compact',
          {},
          el('caption.visually-hidden', {}, title),
          el(
            'thead',
            {},
            el(
              'tr',
              {},
              heads.map((head) => el('th', { scope: 'col' }, head)),
            ),
          ),
          el('tbody', {}, rows()),
        ),
      );
    }
  }

  return { element, update };
}
