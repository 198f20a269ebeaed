/** The list of topics: filtered and sorted by the service, live. */
import { field } from '../actions/dialog.js';
import { el } from '../dom.js';
import { count } from '../format.js';
import { href } from '../router.js';
import { isAdministrator } from '../session.js';
import { createDialog } from '../topic/create-dialog.js';
import { watchedTopics } from './watched-topics.js';

const FEW = 50;
/** The service shows no more; the filter reaches the others. */
const MANY = 200;
const TYPING_MS = 300;
const SORTS = ['name', 'letters', 'ready', 'oldest', 'inflight', 'saturation', 'sent'];

/** Opens the page. */
export function topicsPage(container) {
  const name = field('input', { id: 'topic-filter', type: 'search', maxlength: '255', oninput: typed });
  const more = el('p.more', { role: 'status' });
  const many = el(
    'button.pf-c-button.pf-m-secondary',
    { type: 'button', hidden: true, 'data-action': 'show-many', onclick: () => visit({ show: MANY }) },
    `Show ${MANY}`,
  );
  const sorts = new Map();
  const list = watchedTopics({ caption: 'Topics', head: sortButton, updated: tell });
  let view = {};
  let timer = 0;

  container.append(
    el(
      'div.page-head',
      {},
      el('h1.pf-c-title.pf-m-2xl', {}, 'Topics'),
      list.badge,
      isAdministrator() &&
        el(
          'button.pf-c-button.pf-m-primary',
          { type: 'button', 'data-action': 'create-topic', onclick: createDialog },
          'Create topic',
        ),
    ),
    el('div.topic-filter', {}, el('label', { for: name.id }, 'Filter topics'), name),
    list.element,
    more,
    many,
  );

  function sortButton({ label, sort }) {
    if (sort === undefined) {
      return label;
    }
    const mark = el('span', { 'aria-hidden': 'true' });
    sorts.set(sort, mark);
    return el(
      'button.pf-c-button.pf-m-plain.sort',
      { type: 'button', onclick: () => visit({ sort }) },
      label,
      mark,
    );
  }

  function typed() {
    clearTimeout(timer);
    timer = setTimeout(() => visit({ q: name.value.trim() }), TYPING_MS);
  }

  /** Replaces the URL, so that each letter typed is no step back. */
  function visit(change) {
    const next = { ...view, ...change };
    const query = new URLSearchParams();
    next.q !== '' && query.set('q', next.q);
    query.set('sort', next.sort);
    next.show === MANY && query.set('show', String(MANY));
    location.replace(href(['topics'], query));
  }

  function show({ query }) {
    const sort = SORTS.includes(query.get('sort')) ? query.get('sort') : 'letters';
    const q = (query.get('q') ?? '').slice(0, 255);
    view = { q, sort, show: query.get('show') === String(MANY) ? MANY : FEW };
    if (document.activeElement !== name) {
      name.value = q;
    }
    for (const [each, mark] of sorts) {
      const isUp = each === 'name';
      const isThis = each === sort;
      mark.textContent = isThis ? (isUp ? ' \u25b2' : ' \u25bc') : '';
      mark.closest('th').setAttribute(
        'aria-sort',
        isThis ? (isUp ? 'ascending' : 'descending') : 'none',
      );
    }
    list.show(new URLSearchParams({ top: view.show, sort, ...(q === '' ? {} : { q }) }));
  }

  function tell({ topics, totals }) {
    const left = totals.topics - topics.length;
    many.hidden = left === 0 || view.show === MANY;
    const text = rest(totals.topics, left, view.q !== '');
    if (more.textContent !== text) {
      more.textContent = text;
    }
  }

  return {
    title: 'Topics',
    show,
    close() {
      clearTimeout(timer);
      list.close();
    },
  };
}

function rest(matched, left, isFiltered) {
  if (matched === 0) {
    return isFiltered
      ? 'No topics match the filter.'
      : 'No topics yet. A SEND or an administrator creates one.';
  }
  if (left > 0) {
    return `${count(left)} more topics; refine the filter.`;
  }
  return matched === 1 ? '1 topic' : `${count(matched)} topics`;
}
