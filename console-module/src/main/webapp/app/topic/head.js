/** The head of every tab of a topic: name, tabs and state. */
import { field } from '../actions/dialog.js';
import { el, fill } from '../dom.js';
import { visible } from '../format.js';
import { go, href } from '../router.js';
import { topicSummary } from './summary.js';

const TABS = [
  ['charts', 'Charts'],
  ['messages', 'Messages'],
  ['letters', 'Dead letters'],
  ['scheduled', 'Scheduled'],
  ['leases', 'Leases'],
  ['settings', 'Settings'],
];

/**
 * Creates the head of one tab; narrow screens have a select for the tabs. `refresh` reads the
 * state at once, and `close` ends its updates.
 *
 * @param container of the tab, which tells in place of it that there is no such topic
 */
export function topicHead(container, topic, open, title, ...more) {
  const summary = topicSummary(topic, () => fill(container, missing(topic)));
  const select = field('select', {
    // A change of context on input must be announced.
    'aria-label': 'Tab, opens at once',
    onchange: () => go(href(['topics', topic, select.value])),
  });
  select.append(...TABS.map(([tab, label]) => el('option', { value: tab }, label)));
  select.value = open;
  return {
    element: el(
      'div',
      {},
      el('div.page-head', {}, el('h1.pf-c-title.pf-m-2xl', {}, title), summary.badge, summary.toggle, more),
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
      el('div.topic-select', {}, select),
      summary.element,
    ),
    refresh: summary.refresh,
    listen: summary.listen,
    close: summary.close,
  };
}

const missing = (topic) => [
  el('h1.pf-c-title.pf-m-2xl', {}, `No topic ${visible(topic)}`),
  el('p', { role: 'alert' }, 'There is no topic of this name, or no more.'),
  el('a', { href: href(['topics']) }, 'All topics'),
];
