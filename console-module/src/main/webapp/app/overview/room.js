/** The overview: every topic with what is in it now. */
import { el, fill } from '../dom.js';
import { count, size, notYetLetters } from '../format.js';
import { panel } from '../problem.js';
import { watchTopics } from './live.js';
import { totals } from './totals.js';
import { COLUMNS, TopicRow } from './topic-row.js';

/** More rows than this help nobody; the field above the table finds the others. */
const ROWS = 200;

const STANDS = {
  live: 'Live',
  polling: 'Asked every 5 seconds',
  paused: 'Paused',
  lost: 'Waiting for the server',
};

/** Opens it. */
export function overviewRoom(place) {
  const rows = new Map();
  const sum = totals();
  const body = el('tbody');
  const more = el('p.more', {});
  const state = el('span.pf-c-label.stands', { 'data-stands': '' }, '\u2026');
  const failure = el('div');
  const banner = el('div');
  const room = el('p.disk', { 'data-disk': '' });
  const unsorted = el('p.undeliverable');
  const name = el('input.pf-c-form-control', {
    id: 'topic-filter',
    type: 'search',
    oninput: () => show(),
  });
  let sort = { key: 'dlq', isUp: false };
  let topics = [];
  const heads = COLUMNS.map((column) => head(column, choose));

  fill(
    place,
    banner,
    el('div.room-head', {}, el('h1.pf-c-title.pf-m-2xl', {}, 'Overview'), state),
    failure,
    sum.element,
    room,
    unsorted,
    el('div.finder', {}, el('label', { for: 'topic-filter' }, 'Topics whose name has'), name),
    el(
      'div.table-place',
      {},
      el(
        'table.pf-c-table.pf-m-compact.stacks.topics',
        {},
        el('caption.unseen', {}, 'Topics and what is in them now'),
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
  );
  choose(null);
  const stop = watchTopics(tell, stands);

  function choose(key) {
    if (key !== null) {
      sort = { key, isUp: sort.key === key ? !sort.isUp : key === 'name' };
    }
    heads.forEach((one) => one.mark(sort));
    show();
  }

  function tell({ topics: now, dlq_profile: profile, disk, undeliverable }) {
    topics = now;
    failure.replaceChildren();
    const names = new Set(now.map((topic) => topic.name));
    [...rows.keys()].filter((known) => !names.has(known)).forEach((gone) => rows.delete(gone));
    for (const topic of now) {
      if (!rows.has(topic.name)) {
        rows.set(topic.name, new TopicRow(topic.name));
      }
      rows.get(topic.name).tell(topic);
    }
    sum.tell(now);
    warn(profile === 'ephemeral');
    tellDisk(disk);
    unsorted.textContent = notYetLetters(undeliverable);
    show();
  }

  /** Nothing is said of a disk that nothing is written to. */
  function tellDisk(disk) {
    if (disk === undefined) {
      return;
    }
    const { free_bytes: free, reserve_bytes: reserve } = disk;
    const isFull = free < reserve;
    const words = `Data disk: ${size(free)} free, ${size(reserve)} reserved`;
    room.dataset.disk = isFull ? 'full' : 'ok';
    room.textContent = isFull ? `${words}. New messages are refused.` : `${words}.`;
  }

  function warn(isEphemeral) {
    if (isEphemeral !== banner.hasChildNodes()) {
      fill(
        banner,
        isEphemeral &&
          el(
            'div.pf-c-banner.pf-m-gold.ephemeral',
            {},
            'Dead letters are ephemeral: this server keeps nothing on disk, and they end with its process.',
          ),
      );
    }
  }

  function show() {
    const wanted = name.value.trim().toLowerCase();
    const found = topics
      .filter((topic) => topic.name.toLowerCase().includes(wanted))
      .sort(order(sort));
    const elements = found.slice(0, ROWS).map((topic) => rows.get(topic.name).element);
    arrange(body, elements);
    more.textContent = rest(found.length, topics.length);
  }

  function stands(how) {
    const isError = how instanceof Error;
    const words = isError ? STANDS.lost : STANDS[how];
    if (state.textContent !== words) {
      state.textContent = words;
      state.dataset.stands = isError ? 'lost' : how;
    }
    fill(failure, isError && how.name === 'Error' && how.status !== undefined && panel(how));
  }

  return { title: 'Overview', show: () => {}, close: stop };
}

/** Rows do not move away from under somebody's hand. */
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
    return 'There are no topics yet.';
  }
  if (found === 0) {
    return 'No topic has such a name.';
  }
  return found > ROWS ? `${count(found - ROWS)} more: say more of the name.` : '';
}

function order({ key, isUp }) {
  const number = COLUMNS.find((column) => column.key === key)?.number;
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  if (number === undefined) {
    return (a, b) => (isUp ? byName(a, b) : byName(b, a));
  }
  return (a, b) => (isUp ? number(a) - number(b) : number(b) - number(a)) || byName(a, b);
}

/** A column's head, which sorts by it. */
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
