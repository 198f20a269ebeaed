/** A tab with one table of the topic, read at once and on request. */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { panel } from '../problem.js';
import { table } from '../table.js';
import { topicHead } from './head.js';

/**
 * Creates the tab.
 *
 * @param columns `[label, cell]` of each column
 * @param tab the name of the tab and of the call
 * @param read takes the response and returns `{rows, text}`
 * @param buttons above the table
 */
export function listPage(container, { topic, tab, title, columns, read, buttons = [], params = {} }) {
  const list = table({ name: tab, caption: title, columns });
  const note = el('p', { role: 'status' }, 'Loading \u2026');
  const failure = el('div');
  const head = topicHead(
    container,
    topic,
    tab,
    title,
    el('button.pf-c-button.pf-m-secondary', { type: 'button', onclick: () => refresh() }, 'Refresh'),
  );
  let request = new AbortController();

  fill(
    container,
    head.element,
    failure,
    note,
    el('div.toolbar-buttons', {}, buttons),
    list.element,
  );

  async function refresh() {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    head.refresh();
    try {
      const response = await get(path('topics', topic, tab), new URLSearchParams(params), signal);
      const { rows, text } = read(response);
      failure.replaceChildren();
      note.textContent = text;
      list.show(rows);
    } catch (error) {
      if (!signal.aborted) {
        note.textContent = '';
        fill(failure, panel(error, refresh));
      }
    }
  }

  return {
    title,
    show: refresh,
    refresh,
    close() {
      head.close();
      request.abort();
    },
  };
}
