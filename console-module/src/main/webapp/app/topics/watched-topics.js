/** A live table of topics with its badge and errors. */
import { el, fill } from '../dom.js';
import { panel } from '../problem.js';
import { watchTopics } from './live.js';
import { liveBadge } from './live-badge.js';
import { COLUMNS, TopicRow } from './row.js';

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
  const body = el('tbody', { onmouseleave: arrange, onfocusout: arrange });
  const heads = COLUMNS.map((column) => el('th', { scope: 'col' }, head(column)));
  let order = [];
  let isOther = false;
  let stop = () => {};

  function show(view) {
    stop();
    isOther = true;
    stop = watchTopics(view, update, setStatus);
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
  }

  /**
   * Rows stay where they are under the pointer and the focus, and take their places afterwards. What
   * the user has just chosen shows at once.
   */
  function arrange() {
    if (!isOther && (body.matches(':hover') || body.contains(document.activeElement))) {
      return;
    }
    isOther = false;
    const elements = order.map((name) => rows.get(name).element);
    if (
      elements.length !== body.children.length ||
      elements.some((row, i) => row !== body.children[i])
    ) {
      body.replaceChildren(...elements);
    }
    const shown = new Set(order);
    [...rows.keys()].filter((name) => !shown.has(name)).forEach((gone) => rows.delete(gone));
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
      badge.close();
    },
  };
}
