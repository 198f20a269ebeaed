/**
 * Error groups: dead letters of one error pattern, counted by reason. Clicks filter to some of the
 * groups, or to a reason.
 */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { ago, count, visible } from '../format.js';
import { panel } from '../problem.js';
import { REASONS, toParams } from './filter.js';

const MAX_GROUPS = 200;
const MAX_CHOSEN = 20;
const COLLAPSED = 4;

const NO_GROUP =
  'No dead letter matches. A message becomes one when its attempts are used up, when it expires, or when a consumer gives it up.';

/**
 * Creates the list of a topic's error groups.
 *
 * @param choose takes a change of the filter, `{fingerprint}` or `{reason}`
 * @param total takes the number of dead letters, or null, and whether it is exact
 */
export function groupList(topic, choose, total) {
  const list = el('ul.groups');
  const clear = el('span');
  const element = el(
    'section.group-section',
    { 'aria-labelledby': 'groups-title' },
    el(
      'div.group-head',
      {},
      el('h2.pf-c-title.pf-m-md', { id: 'groups-title', tabindex: '-1' }, 'Error groups'),
      clear,
    ),
    list,
  );
  let isExpanded = false;
  let request = null;
  let known = [];

  /** Shows the groups of a filter; the chosen ones are marked among the others. */
  async function show(filter) {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const chosen = filter.fingerprint;
    try {
      const { groups } = await get(
        path('dlq', topic, 'groups'),
        toParams({ ...filter, fingerprint: [] }),
        signal,
      );
      const matching = groups.filter(
        ({ fingerprint }) => chosen.length === 0 || chosen.includes(fingerprint),
      );
      total(
        matching.reduce((sum, group) => sum + group.count, 0),
        groups.length < MAX_GROUPS || (chosen.length > 0 && matching.length === chosen.length),
      );
      known = groups;
      draw(groups, filter);
    } catch (error) {
      if (!signal.aborted) {
        const retry = () => show(filter);
        total(null);
        fill(list, el('li', {}, panel(error, retry)));
      }
    }
  }

  function draw(groups, filter) {
    const chosen = filter.fingerprint;
    const isChosen = ({ fingerprint }) => chosen.includes(fingerprint);
    const shown = groups.filter((group, i) => isExpanded || i < COLLAPSED || isChosen(group));
    const focused = element.contains(document.activeElement)
      ? (document.activeElement.dataset.focus ?? '')
      : null;
    fill(
      clear,
      chosen.length > 0 &&
        el(
          'button.pf-c-button.pf-m-link.pf-m-inline',
          { type: 'button', onclick: () => choose({ fingerprint: [] }) },
          `Clear ${count(chosen.length)} chosen`,
        ),
    );
    fill(
      list,
      groups.length === 0 && el('li', {}, NO_GROUP),
      shown.map((group) =>
        el(
          'li.group-entry',
          {},
          groupButton(group, chosen, choose),
          Object.entries(group.reasons).map(([reason, number]) =>
            reasonChip(group, reason, number, filter.reason === reason, choose),
          ),
        ),
      ),
      shown.length < groups.length && el('li', {}, expandButton(groups, filter)),
    );
    if (focused !== null) {
      const same = [...list.querySelectorAll('button')].find(
        (one) => one.dataset.focus === focused,
      );
      (same ?? element.querySelector('h2')).focus();
    }
  }

  function expandButton(groups, filter) {
    const expand = () => {
      isExpanded = true;
      draw(groups, filter);
    };
    return el(
      'button.pf-c-button.pf-m-link.pf-m-inline',
      { type: 'button', onclick: expand },
      `Show all ${count(groups.length)} groups`,
    );
  }

  return {
    element,
    show,
    /** The error texts of groups. */
    patterns: (fingerprints) =>
      known
        .filter(({ fingerprint }) => fingerprints.includes(fingerprint))
        .map(({ pattern }) => pattern),
    close: () => request?.abort(),
  };
}

/** A toggle; several groups can be chosen. */
function groupButton(group, chosen, choose) {
  const { fingerprint } = group;
  const isChosen = chosen.includes(fingerprint);
  const pattern = visible(group.pattern) || '(no error text)';
  const others = chosen.filter((one) => one !== fingerprint);
  return el(
    'button.group',
    {
      type: 'button',
      'aria-pressed': String(isChosen),
      'data-focus': fingerprint,
      disabled: !isChosen && chosen.length >= MAX_CHOSEN,
      onclick: () => choose({ fingerprint: isChosen ? others : [...others, fingerprint] }),
    },
    el('span.group-mark', { 'aria-hidden': 'true' }),
    el('span.group-count', {}, count(group.count)),
    el('span.group-pattern', { title: pattern }, pattern),
    el('span.group-times', {}, `first ${ago(group.first_seen)}, last ${ago(group.last_seen)}`),
  );
}

/** Filters to a reason, or to all reasons again. */
function reasonChip(group, reason, number, isChosen, choose) {
  return el(
    'button.group-reason',
    {
      type: 'button',
      'aria-pressed': String(isChosen),
      'aria-label': `${REASONS[reason] ?? reason}: ${count(number)}, of ${visible(group.pattern)}`,
      'data-focus': `${group.fingerprint} ${reason}`,
      onclick: () => choose({ reason: isChosen ? '' : reason }),
    },
    `${reason} ${count(number)}`,
  );
}
