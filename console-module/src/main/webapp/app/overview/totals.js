/** Totals over all topics. */
import { el } from '../dom.js';
import { count } from '../format.js';

const TOTALS = [
  ['Topics', 'topics'],
  ['Ready', 'ready'],
  ['Scheduled', 'scheduled'],
  ['In flight', 'inflight'],
  ['Dead letters', 'dlq'],
];

/** Creates the cards; `update` fills them. */
export function totals() {
  const numbers = TOTALS.map(() => el('dd.total-number', {}, '\u2013'));
  const element = el(
    'dl.totals',
    {},
    TOTALS.map(([label], i) =>
      el('div.pf-c-card.total', {}, el('dt.total-label', {}, label), numbers[i]),
    ),
  );
  return {
    element,
    update(sums) {
      TOTALS.forEach(([, key], i) => (numbers[i].textContent = count(sums[key])));
    },
  };
}
