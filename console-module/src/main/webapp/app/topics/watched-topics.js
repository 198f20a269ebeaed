/** A live table of topics with its badge and errors. */
import { el, fill } from '../dom.js';
import { panel } from '../problem.js';
import { watchTopics } from './live.js';
import { liveBadge } from './live-badge.js';
import { COLUMNS, TopicRow } from './row.js';

/** More rows at once would take the browser a long task to lay out. */
const ROWS_PER_FRAME = 20;

/**
 * Creates the table.
 *
 * @param caption for screen readers
 * @param head takes a column and returns the content of its header
 * @param updated takes each event
 * @returns `show(view)` watches what the parameters choose; `close` ends it
 */
export function watchedTopics({ caption, head = ({ label }) => label, updated }) {
  const rows = new Map();
  const badge = liveBadge();
  const failure = el('div');
  const body = el('tbody', { onmouseleave: settle, onfocusout: leaveFocus });
  const heads = COLUMNS.map((column) => el('th', { scope: 'col' }, head(column)));
  let order = [];
  let isOther = false;
  let views = 0;
  let stop = () => {};
  let frame = 0;

  function show(view) {
    stop();
    isOther = true;
    views += 1;
    const mine = views;
    // A stream that has ended may still have an event.
    stop = watchTopics(view, (event) => mine === views && update(event), setStatus);
  }

  /** From one link of the table to the next, the focus stays in it. */
  function leaveFocus({ relatedTarget }) {
    if (!body.contains(relatedTarget)) {
      settle();
    }
  }

  /** Until the first event of another list, the old order would take its place. */
  function settle() {
    if (!isOther) {
      arrange();
    }
  }

  function update(event) {
    failure.replaceChildren();
    for (const topic of event.topics) {
      if (!rows.has(topic.name)) {
        rows.set(topic.name, new TopicRow(topic.name));
      }
      rows.get(topic.name).update(topic);
    }
    order = event.topics.map(({ name }) => name);
    updated(event);
    arrange();
    forget();
  }

  /**
   * Rows stay where they are under the pointer and the focus, and take their places afterwards. A
   * list that the user has just chosen shows at once.
   */
  function arrange() {
    if (!isOther && (body.matches(':hover') || body.contains(document.activeElement))) {
      return;
    }
    const elements = order.map((name) => rows.get(name).element);
    cancelAnimationFrame(frame);
    if (isOther) {
      isOther = false;
      const shown = [...body.children];
      const same = shown.findIndex((row, i) => row !== elements[i]);
      removeFrom(same < 0 ? shown.length : same);
    }
    place(elements, 0);
  }

  /** To move rows of a list that is left would cost as much as to show them. */
  function removeFrom(first) {
    [...body.children].slice(first).forEach((row) => row.remove());
  }

  /** Moves the rows that are elsewhere, some in each frame, and removes the others at last. */
  function place(elements, from) {
    let moved = 0;
    let i = from;
    for (; i < elements.length && moved < ROWS_PER_FRAME; i++) {
      const there = body.children[i];
      if (there !== elements[i]) {
        body.insertBefore(elements[i], there ?? null);
        moved += 1;
      }
    }
    if (i < elements.length) {
      frame = requestAnimationFrame(() => place(elements, i));
    } else {
      removeFrom(i);
    }
  }

  /** Forgets the topics that have left the list and the screen. */
  function forget() {
    const listed = new Set(order);
    for (const [name, { element: row }] of rows) {
      if (!listed.has(name) && !row.isConnected) {
        rows.delete(name);
      }
    }
  }

  function setStatus(next) {
    const isError = next instanceof Error;
    badge.set(isError ? 'disconnected' : next);
    fill(failure, isError && next.name === 'Error' && next.status !== undefined && panel(next));
  }

  return {
    badge: badge.element,
    heads,
    element: el(
      'div',
      {},
      failure,
      el(
        'div.table-container',
        {},
        el(
          'table.pf-c-table.pf-m-compact.stacks.topics',
          {},
          el('caption.visually-hidden', {}, caption),
          el('thead', {}, el('tr', {}, heads)),
          body,
        ),
      ),
    ),
    show,
    close() {
      stop();
      cancelAnimationFrame(frame);
      badge.close();
    },
  };
}
