/** What the letters have in common: one click, and only those of one cause are shown. */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { ago, count, visible } from '../format.js';
import { panel } from '../problem.js';
import { toParams } from './filter.js';

const AT_MOST = 200;
const SHOWN = 5;

/**
 * The groups of a topic's letters.
 *
 * @param choose takes a group's fingerprint, or the empty text for none
 * @param total takes how many letters there are in them, and whether that is all
 */
export function groupList(topic, choose, total) {
  const list = el('ul.groups');
  const element = el(
    'section',
    { 'aria-labelledby': 'groups-title' },
    el('h2.pf-c-title.pf-m-lg', { id: 'groups-title' }, 'Groups'),
    list,
  );
  let all = false;
  let asked = null;

  async function show(filter) {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const { groups } = await get(path('dlq', topic, 'groups'), toParams(filter), signal);
      total(
        groups.reduce((sum, group) => sum + group.count, 0),
        groups.length < AT_MOST,
      );
      draw(groups, filter.fingerprint);
    } catch (error) {
      if (!signal.aborted) {
        fill(
          list,
          el(
            'li',
            {},
            panel(error, () => show(filter)),
          ),
        );
      }
    }
  }

  function draw(groups, chosen) {
    const shown = all ? groups : groups.slice(0, SHOWN);
    const focused = list.contains(document.activeElement)
      ? document.activeElement.dataset.fingerprint
      : undefined;
    fill(
      list,
      groups.length === 0 && el('li.nothing', {}, 'None.'),
      shown.map((group) => entry(group, group.fingerprint === chosen, choose)),
      shown.length < groups.length &&
        el(
          'li',
          {},
          el(
            'button.pf-c-button.pf-m-link',
            {
              type: 'button',
              onclick: () => {
                all = true;
                draw(groups, chosen);
              },
            },
            `Show all ${count(groups.length)} groups`,
          ),
        ),
    );
    if (focused !== undefined) {
      [...list.querySelectorAll('button')]
        .find((one) => one.dataset.fingerprint === focused)
        ?.focus();
    }
  }

  return { element, show, close: () => asked?.abort() };
}

function entry(group, isChosen, choose) {
  return el(
    'li',
    {},
    el(
      'button.group',
      {
        type: 'button',
        'aria-pressed': String(isChosen),
        'data-fingerprint': group.fingerprint,
        onclick: () => choose(isChosen ? '' : group.fingerprint),
      },
      el('span.group-count', {}, count(group.count)),
      el('span.group-pattern', {}, visible(group.pattern) || '(no error text)'),
      el(
        'span.group-facts',
        {},
        el('span.pf-c-label', {}, el('span.pf-c-label__content', {}, group.reason)),
        ` first ${ago(group.first_seen)}, last ${ago(group.last_seen)}`,
        isChosen && ' \u2013 chosen; press to show all again',
      ),
    ),
  );
}
