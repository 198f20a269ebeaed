/** The head of every tab of a topic: name, tabs, state and a test message. */
import { el } from '../dom.js';
import { href } from '../router.js';
import { isAdministrator } from '../session.js';
import { testMessage } from './test-message.js';
import { topicSummary } from './summary.js';

const TABS = [
  ['charts', 'Charts'],
  ['letters', 'Dead letters'],
  ['scheduled', 'Scheduled'],
  ['leases', 'Leases'],
  ['settings', 'Settings'],
];

/** Creates the head of one tab; `refresh` updates the state. */
export function topicHead(topic, open, title, ...more) {
  const summary = topicSummary(
    topic,
    isAdministrator() &&
      el(
        'button.pf-c-button.pf-m-secondary',
        {
          type: 'button',
          'data-action': 'test-message',
          onclick: () => testMessage(topic, summary.refresh),
        },
        'Send test message',
      ),
  );
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
