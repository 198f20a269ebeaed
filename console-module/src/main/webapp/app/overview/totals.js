/** Totals over all topics. */
import { el } from '../dom.js';
import { count } from '../format.js';

const TOTALS = [
  ['Topics', (topics) => topics.length],
  ['Queue depth', (topics) => sum(topics, 'depth')],
  ['In flight', (topics) => sum(topics, 'inflight')],
  ['Dead letters', (topics) => sum(topics, 'dlq')],
];

const sum = (topics, key) => topics.reduce((total, topic) => total + (topic[key] ?? 0), 0);

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
    update(topics) {
      TOTALS.forEach(([, of], i) => (numbers[i].textContent = count(of(topics))));
    },
  };
}
