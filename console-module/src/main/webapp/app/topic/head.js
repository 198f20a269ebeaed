/** The head of every tab of a topic: name, tabs and state. */
import { el } from '../dom.js';
import { href } from '../router.js';
import { topicSummary } from './summary.js';

const TABS = [
  ['charts', 'Charts'],
  ['messages', 'Messages'],
  ['letters', 'Dead letters'],
  ['scheduled', 'Scheduled'],
  ['leases', 'Leases'],
  ['settings', 'Settings'],
];

/** Creates the head of one tab; `refresh` updates the state. */
export function topicHead(topic, open, title, ...more) {
  const summary = topicSummary(topic);
  return {
    element: el(
      'div',
      {},
      el('div.page-head', {}, el('h1.pf-c-title.pf-m-2xl', {}, title), more),
      el(
        'nav.topic-tabs',
        { 'aria-label': 'Topic' },
        TABS.map(([tab, label]) =>
          el(
            'a',
            { href: href(['topics', topic, tab]), 'aria-current': tab === open && 'page' },
            label,
          ),
        ),
      ),
      summary.element,
    ),
    refresh: summary.refresh,
  };
}
