/** The dead letters of one topic. The URL holds the whole view, so a link reproduces it. */
import { get, path } from '../api.js';
import { bulkDialog } from '../actions/bulk-dialog.js';
import { resendDialog } from '../actions/resend-dialog.js';
import { el, fill } from '../dom.js';
import { announce } from '../notices.js';
import { panel } from '../problem.js';
import { go, href, route } from '../router.js';
import { topicHead } from '../topic/head.js';
import { letterDrawer } from './drawer.js';
import { filterForm } from './filter-form.js';
import { fromQuery, toParams } from './filter.js';
import { groupList } from './groups.js';
import { pager } from './pager.js';
import { selectionBar } from './selection-bar.js';
import { Selection } from './selection.js';
import { letterTable } from './table.js';

const PAGE_SIZE = '50';

/** Counts follow the topic, but take at most a twentieth of the time of a slow database. */
const COUNT_MS = 10_000;
const COUNT_PAUSES = 20;

/** Opens the page for the route's topic. */
export function lettersPage(container, { parts: [, topic] }) {
  const selection = new Selection();
  const form = filterForm((filter) => navigate({ filter }));
  const groups = groupList(
    topic,
    (change) => navigate({ filter: { ...view.filter, ...change } }),
    (total, isExact) => bar.total(total, isExact),
  );
  const drawer = letterDrawer(topic, {
    close: () => navigate({ letter: '' }),
    redrive: (id) => act('reprocess', [id]),
    discard: (id) => act('discard', [id]),
    resend: (letter) => resendDialog(topic, letter, acted),
    groupUrl: (fingerprint) => href(['topics', topic, 'letters'], toParams({ fingerprint: [fingerprint] })),
  });
  const table = letterTable(
    selection,
    (id) => url({ letter: id }),
    (id) => navigate({ letter: id }),
  );
  const pages = pager((cursor) => navigate({ cursor }));
  const bar = selectionBar(selection, (action) =>
    act(action, selection.isAll ? null : selection.ids),
  );
  const head = topicHead(
    container,
    topic,
    'letters',
    `Dead letters of ${topic}`,
    el('a', { href: href(['jobs'], new URLSearchParams({ topic })) }, 'Jobs of this topic'),
    el(
      'button.pf-c-button.pf-m-secondary',
      { type: 'button', onclick: () => refresh() },
      'Refresh',
    ),
  );
  const failure = el('div');
  const list = el(
    'div.letters-list',
    {},
    failure,
    bar.element,
    el('div.table-container', {}, table.element),
    pages.element,
  );

  let view = read(route().query);
  let shownList = null;
  let request = null;

  fill(
    container,
    head.element,
    el(
      'div.letters-split',
      {},
      el('div.letters-side', {}, form.element, groups.element, list),
      drawer.element,
    ),
  );

  let counted = null;
  let nextCount = 0;
  head.listen(({ dlq }) => {
    // Nothing moves under the pointer or the focus.
    const isInUse = groups.element.matches(':hover, :focus-within');
    counted ??= dlq;
    if (dlq !== counted && Date.now() >= nextCount && !isInUse && shownList !== null) {
      count(dlq);
    }
  });

  async function count(dlq) {
    const begun = Date.now();
    counted = dlq;
    nextCount = Infinity;
    await groups.show(view.filter);
    nextCount = Date.now() + Math.max(COUNT_MS, COUNT_PAUSES * (Date.now() - begun));
  }

  /** Shows the view that the URL describes. */
  function show({ query }) {
    const previous = view;
    view = read(query);
    if (shownList !== listKey(view)) {
      if (shownList !== null && filterKey(previous) !== filterKey(view)) {
        selection.clear();
        pages.reset();
      }
      form.show(view.filter);
      refresh();
    }
    showLetter(previous.letter);
  }

  function showLetter(previous) {
    container.classList.toggle('has-letter', view.letter !== '');
    table.markOpen(view.letter);
    if (view.letter !== '') {
      drawer.open(view.letter);
    } else if (drawer.isOpen()) {
      drawer.close();
      table.focusOn(previous);
    }
  }

  async function refresh() {
    shownList = listKey(view);
    groups.show(view.filter);
    head.refresh();
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    list.setAttribute('aria-busy', 'true');
    try {
      const page = await get(path('dlq', topic), listParams(view), signal);
      failure.replaceChildren();
      table.show(page.letters, view.letter);
      pages.show(view.cursor, page.next_cursor, page.letters.length);
      announce(
        page.letters.length === 0
          ? 'No dead letters'
          : `${page.letters.length} dead letters on this page`,
      );
    } catch (error) {
      if (!signal.aborted) {
        shownList = null;
        fill(failure, panel(error, refresh));
      }
    } finally {
      if (!signal.aborted) {
        list.removeAttribute('aria-busy');
      }
    }
  }

  function navigate(change) {
    go(url(change));
  }

  /** The URL of a changed view; the drawer stays open only while the list is the same. */
  function url(change) {
    const isSameList = Object.keys(change).every((key) => key === 'letter');
    const next = {
      filter: view.filter,
      cursor: 'filter' in change ? '' : view.cursor,
      letter: isSameList ? view.letter : '',
      ...change,
    };
    const params = toParams(next.filter);
    next.cursor && params.set('cursor', next.cursor);
    next.letter && params.set('letter', next.letter);
    return href(['topics', topic, 'letters'], params);
  }

  function act(action, ids) {
    const patterns = ids === null ? groups.patterns(view.filter.fingerprint) : [];
    bulkDialog({ topic, action, ids, filter: view.filter, patterns }, acted);
  }

  /** An action may have removed what is shown. */
  function acted() {
    selection.clear();
    if (view.letter !== '') {
      navigate({ letter: '' });
    }
    refresh();
  }

  return {
    title: `Dead letters of ${topic}`,
    show,
    refresh,
    close() {
      request?.abort();
      head.close();
      groups.close();
      drawer.close();
    },
  };
}

const read = (query) => ({
  filter: fromQuery(query),
  cursor: query.get('cursor') ?? '',
  letter: query.get('letter') ?? '',
});

const filterKey = ({ filter }) => toParams(filter).toString();

const listKey = (view) => listParams(view).toString();

function listParams({ filter, cursor }) {
  const params = toParams(filter);
  params.set('limit', PAGE_SIZE);
  if (cursor !== '') {
    params.set('cursor', cursor);
  }
  return params;
}
