/** Error groups: dead letters of one reason and error pattern. A click filters to a group. */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { ago, count, visible } from '../format.js';
import { panel } from '../problem.js';
import { toParams } from './filter.js';

const MAX_GROUPS = 200;
const COLLAPSED = 4;

/**
 * Creates the list of a topic's error groups.
 *
 * @param choose takes a group's fingerprint; empty to show all groups again
 * @param total takes the number of dead letters and whether it is exact
 */
export function groupList(topic, choose, total) {
  const list = el('ul.groups');
  const element = el(
    'section.group-section',
    { 'aria-labelledby': 'groups-title' },
    el('h2.pf-c-title.pf-m-md', { id: 'groups-title' }, 'Error groups'),
    list,
  );
  let isExpanded = false;
  let request = null;

  async function show(filter) {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      const { groups } = await get(path('dlq', topic, 'groups'), toParams(filter), signal);
      total(
        groups.reduce((sum, group) => sum + group.count, 0),
        groups.length < MAX_GROUPS,
      );
      draw(groups, filter.fingerprint);
    } catch (error) {
      if (!signal.aborted) {
        const retry = () => show(filter);
        fill(list, el('li', {}, panel(error, retry)));
      }
    }
  }

  function draw(groups, chosen) {
    const shown = isExpanded ? groups : groups.slice(0, COLLAPSED);
    const focused = list.contains(document.activeElement)
      ? document.activeElement.dataset.fingerprint
      : undefined;
    fill(
      list,
      groups.length === 0 && el('li', {}, 'None'),
      shown.map((group) => entry(group, group.fingerprint === chosen, choose)),
      shown.length < groups.length && el('li', {}, expandButton(groups, chosen)),
    );
    if (focused !== undefined) {
      [...list.querySelectorAll('button')]
        .find((one) => one.dataset.fingerprint === focused)
        ?.focus();
    }
  }

  function expandButton(groups, chosen) {
    const expand = () => {
      isExpanded = true;
      draw(groups, chosen);
    };
    return el(
      'button.pf-c-button.pf-m-link.pf-m-inline',
      { type: 'button', onclick: expand },
      `Show all ${count(groups.length)} groups`,
    );
  }

  return { element, show, close: () => request?.abort() };
}

function entry(group, isChosen, choose) {
  const pattern = visible(group.pattern) || '(no error text)';
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
      el('span.group-pattern', { title: pattern }, pattern),
      el('span.pf-c-label', {}, el('span.pf-c-label__content', {}, group.reason)),
      el(
        'span.group-times',
        {},
        isChosen
          ? 'Show all groups'
          : `first ${ago(group.first_seen)}, last ${ago(group.last_seen)}`,
      ),
    ),
  );
}
