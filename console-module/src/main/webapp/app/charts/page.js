/** The charts of one topic. */
import { el, fill } from '../dom.js';
import { href } from '../router.js';
import { visible } from '../format.js';
import { historyCharts } from './history.js';

/** Opens the page. */
export function topicChartsPage(container, { parts }) {
  const [, topic] = parts;
  const charts = historyCharts(parts, topic);
  fill(
    container,
    el(
      'div.page-head',
      {},
      el('h1.pf-c-title.pf-m-2xl', {}, `Charts of ${visible(topic)}`),
      el('a', { href: href(['topics', topic, 'letters']) }, 'Dead letters'),
    ),
    charts.element,
  );
  return {
    title: `Charts of ${visible(topic)}`,
    show: ({ query }) => charts.show(query.get('window')),
    close: () => charts.close(),
  };
}
