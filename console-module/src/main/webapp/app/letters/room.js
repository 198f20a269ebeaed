/** The dead letters of one topic. What is shown is in the URL: who opens the link sees the same. */
import { get, path } from '../api.js';
import { bulkDialog } from '../actions/bulk-dialog.js';
import { resendDialog } from '../actions/resend-dialog.js';
import { el, fill } from '../dom.js';
import { announce } from '../notices.js';
import { panel } from '../problem.js';
import { go, href, route } from '../router.js';
import { letterDrawer } from './drawer.js';
import { filterForm } from './filter-form.js';
import { fromQuery, toParams } from './filter.js';
import { groupList } from './groups.js';
import { pager } from './pager.js';
import { pickBar } from './pick-bar.js';
import { Selection } from './selection.js';
import { letterTable } from './table.js';
import { topicNow } from './topic-now.js';

const PAGE = '50';

/** Opens it for the topic that the route names. */
export function lettersRoom(place, { parts: [, topic] }) {
  const selection = new Selection();
  const form = filterForm((filter) => visit({ filter }));
  const groups = groupList(
    topic,
    (fingerprint) => visit({ filter: { ...view.filter, fingerprint } }),
    counted,
  );
  const drawer = letterDrawer(topic, {
    close: () => visit({ letter: '' }),
    reprocess: (id) => act('reprocess', [id]),
    discard: (id) => act('discard', [id]),
    resend: (letter) => resendDialog(topic, letter, acted),
    group: (fingerprint) => href(['topics', topic, 'letters'], toParams({ fingerprint })),
  });
  const table = letterTable(
    selection,
    (id) => url({ letter: id }),
    (id) => visit({ letter: id }),
  );
  const pages = pager((cursor) => visit({ cursor }));
  const bar = pickBar(selection, (action) => act(action, selection.isAll ? null : selection.ids));
  const now = topicNow(topic);
  const failure = el('div');
  const list = el(
    'div.letters-list',
    {},
    failure,
    bar.element,
    el('div.table-place', {}, table.element),
    pages.element,
  );

  let view = read(route().query);
  let drawn = null;
  let asked = null;

  fill(
    place,
    el(
      'div.room-head',
      {},
      el('h1.pf-c-title.pf-m-2xl', {}, `Dead letters of ${topic}`),
      el('a', { href: href(['jobs'], new URLSearchParams({ topic })) }, 'Its jobs'),
      el(
        'button.pf-c-button.pf-m-secondary',
        { type: 'button', onclick: () => refresh() },
        'Refresh',
      ),
    ),
    now.element,
    el(
      'div.letters-split',
      {},
      el(
        'div.letters-side',
        {},
        el(
          'details.filter-fold',
          { open: innerWidth >= 768 },
          el('summary', {}, 'Filter'),
          form.element,
        ),
        groups.element,
        list,
      ),
      drawer.element,
    ),
  );

  /** The URL has changed, or this room was just opened. */
  function show({ query }) {
    const before = view;
    view = read(query);
    const listed = listKey(view);
    if (drawn !== listed) {
      if (
        drawn !== null &&
        toParams(before.filter).toString() !== toParams(view.filter).toString()
      ) {
        selection.clear();
        pages.forget();
      }
      form.show(view.filter);
      refresh();
    }
    showLetter(before.letter);
  }

  function showLetter(before) {
    place.classList.toggle('has-letter', view.letter !== '');
    table.markOpen(view.letter);
    if (view.letter !== '') {
      drawer.open(view.letter);
    } else if (drawer.isOpen()) {
      drawer.close();
      table.focusOn(before);
    }
  }

  async function refresh() {
    drawn = listKey(view);
    groups.show(view.filter);
    now.refresh();
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
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
        drawn = null;
        fill(failure, panel(error, refresh));
      }
    } finally {
      if (!signal.aborted) {
        list.removeAttribute('aria-busy');
      }
    }
  }

  function counted(total, isExact) {
    bar.total(total, isExact);
  }

  /** Goes to another view; a letter stays open only while the list is the same. */
  function visit(change) {
    go(url(change));
  }

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
    bulkDialog({ topic, action, ids, filter: view.filter }, acted);
  }

  /** Something was begun or done: what is shown may be over. */
  function acted() {
    selection.clear();
    if (view.letter !== '') {
      visit({ letter: '' });
    }
    refresh();
  }

  return {
    title: `Dead letters of ${topic}`,
    show,
    close() {
      asked?.abort();
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

const listKey = (view) => listParams(view).toString();

function listParams({ filter, cursor }) {
  const params = toParams(filter);
  params.set('limit', PAGE);
  if (cursor !== '') {
    params.set('cursor', cursor);
  }
  return params;
}
