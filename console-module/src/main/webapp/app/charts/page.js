/** The charts of one topic. */
import { fill } from '../dom.js';
import { topicHead } from '../topic/head.js';
import { historyCharts } from './history.js';

/** Opens the page. */
export function topicChartsPage(container, { parts }) {
  const [, topic] = parts;
  const title = `Charts of ${topic}`;
  const head = topicHead(container, topic, 'charts', title);
  const charts = historyCharts(parts, topic);
  fill(container, head.element, charts.element);
  return {
    title,
    show({ query }) {
      head.refresh();
      charts.show(query.get('window'));
    },
    close() {
      head.close();
      charts.close();
    },
  };
}
