/** The overview: live state of all topics. */
import { el, fill } from '../dom.js';
import { onOutage, outageSince } from '../connection.js';
import { clock, count, size, undeliverable } from '../format.js';
import { panel } from '../problem.js';
import { historyCharts } from '../charts/history.js';
import { isAdministrator } from '../session.js';
import { createDialog } from '../topic/create-dialog.js';
import { watchTopics } from './live.js';
import { serviceState } from './state.js';
import { openStreams } from './streams.js';
import { totals } from './totals.js';
import { COLUMNS, TopicRow } from './topic-row.js';

/** The filter reaches topics beyond this limit. */
const MAX_ROWS = 200;

const STATUS = {
  live: 'Live',
  polling: 'Polling every 5 seconds',
  paused: 'Paused',
  disconnected: 'Reconnecting',
};

/** Opens the page. */
export function overviewPage(container) {
  const rows = new Map();
  const summary = totals();
  const service = serviceState();
  const charts = historyCharts(['overview']);
  const streams = openStreams();
  const body = el('tbody');
  const more = el('p.more', {});
  const state = el('span.pf-c-label.live-status', { 'data-status': '' }, '\u2026');
  const failure = el('div');
  const banner = el('div');
  const disk = el('p.disk', { 'data-disk': '' });
  const notice = el('p.undeliverable');
  const name = el('input.pf-c-form-control', {
    id: 'topic-filter',
    type: 'search',
    oninput: () => show(),
  });
  let sort = { key: 'dlq', isUp: false };
  let topics = [];
  const heads = COLUMNS.map((column) => head(column, choose));

  fill(
    container,
    banner,
    el(
      'div.page-head',
      {},
      el('h1.pf-c-title.pf-m-2xl', {}, 'Overview'),
      state,
      isAdministrator() &&
        el(
          'button.pf-c-button.pf-m-secondary',
          { type: 'button', 'data-action': 'create-topic', onclick: createDialog },
          'Create topic',
        ),
    ),
    failure,
    service.element,
    charts.element,
    summary.element,
    disk,
    notice,
    el('div.topic-filter', {}, el('label', { for: 'topic-filter' }, 'Filter topics'), name),
    el(
      'div.table-container',
      {},
      el(
        'table.pf-c-table.pf-m-compact.stacks.topics',
        {},
        el('caption.visually-hidden', {}, 'Topics'),
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            heads.map(({ element }) => element),
          ),
        ),
        body,
      ),
    ),
    more,
    streams.element,
  );
  choose(null);
  let status = '';
  const stop = watchTopics(update, setStatus);
  const stopOutage = onOutage(showStatus);

  function choose(key) {
    if (key !== null) {
      sort = { key, isUp: sort.key === key ? !sort.isUp : key === 'name' };
    }
    heads.forEach((one) => one.mark(sort));
    show();
  }

  function update({ topics: now, dlq_profile: profile, disk: space, undeliverable: waiting }) {
    topics = now;
    failure.replaceChildren();
    const names = new Set(now.map((topic) => topic.name));
    [...rows.keys()].filter((known) => !names.has(known)).forEach((gone) => rows.delete(gone));
    for (const topic of now) {
      if (!rows.has(topic.name)) {
        rows.set(topic.name, new TopicRow(topic.name));
      }
      rows.get(topic.name).update(topic);
    }
    summary.update(now);
    warn(profile === 'ephemeral');
    updateDisk(space);
    notice.textContent = undeliverable(waiting);
    show();
  }

  /** Without durable storage there is no disk to report. */
  function updateDisk(space) {
    if (space === undefined) {
      return;
    }
    const { free_bytes: free, reserve_bytes: reserve } = space;
    const isFull = free < reserve;
    const text = `Data disk: ${size(free)} free, ${size(reserve)} reserved`;
    disk.dataset.disk = isFull ? 'full' : 'ok';
    disk.textContent = isFull ? `${text}. New messages are refused.` : `${text}.`;
  }

  function warn(isEphemeral) {
    if (isEphemeral !== banner.hasChildNodes()) {
      fill(
        banner,
        isEphemeral &&
          el(
            'div.pf-c-banner.pf-m-gold.ephemeral',
            {},
            'Dead letters are ephemeral: this server stores nothing on disk and loses them when it stops.',
          ),
      );
    }
  }

  function show() {
    const term = name.value.trim().toLowerCase();
    const found = topics
      .filter((topic) => topic.name.toLowerCase().includes(term))
      .sort(order(sort));
    const elements = found.slice(0, MAX_ROWS).map((topic) => rows.get(topic.name).element);
    arrange(body, elements);
    more.textContent = rest(found.length, topics.length);
  }

  /** While something is refused, numbers may have stopped. */
  function showStatus() {
    const since = status === 'paused' ? null : outageSince();
    state.textContent = since === null ? STATUS[status] : `Frozen since ${clock(since)}`;
    state.dataset.status = since === null ? status : 'frozen';
  }

  function setStatus(next) {
    const isError = next instanceof Error;
    status = isError ? 'disconnected' : next;
    showStatus();
    fill(
      failure,
      isError && next.name === 'Error' && next.status !== undefined && panel(next),
    );
  }

  return {
    title: 'Overview',
    show: ({ query }) => charts.show(query.get('window')),
    close() {
      stop();
      stopOutage();
      service.close();
      charts.close();
      streams.close();
    },
  };
}

/** Updates the rows; does not reorder them under the pointer or the focus. */
function arrange(body, elements) {
  const shown = [...body.children];
  const isSame = shown.length === elements.length && elements.every((row) => shown.includes(row));
  const isInUse = body.matches(':hover') || body.contains(document.activeElement);
  if (isSame && (isInUse || elements.every((row, i) => row === shown[i]))) {
    return;
  }
  const focused = document.activeElement;
  body.replaceChildren(...elements);
  if (body.contains(focused)) {
    focused.focus();
  }
}

function rest(found, all) {
  if (all === 0) {
    return 'No topics yet.';
  }
  if (found === 0) {
    return 'No topics match the filter.';
  }
  return found > MAX_ROWS ? `${count(found - MAX_ROWS)} more topics; refine the filter.` : '';
}

function order({ key, isUp }) {
  const number = COLUMNS.find((column) => column.key === key)?.number;
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  if (number === undefined) {
    return (a, b) => (isUp ? byName(a, b) : byName(b, a));
  }
  return (a, b) => (isUp ? number(a) - number(b) : number(b) - number(a)) || byName(a, b);
}

/** A column header that sorts by its column. */
function head({ key, label }, choose) {
  const arrow = el('span', { 'aria-hidden': 'true' });
  const element = el(
    'th',
    { scope: 'col' },
    el(
      'button.pf-c-button.pf-m-plain.sort',
      { type: 'button', onclick: () => choose(key) },
      label,
      arrow,
    ),
  );
  return {
    element,
    mark(sort) {
      const isThis = sort.key === key;
      element.setAttribute('aria-sort', !isThis ? 'none' : sort.isUp ? 'ascending' : 'descending');
      arrow.textContent = !isThis ? '' : sort.isUp ? ' \u25b2' : ' \u25bc';
    },
  };
}
