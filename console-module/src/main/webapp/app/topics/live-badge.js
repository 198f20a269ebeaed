/** Whether the numbers of a page are live; while something is refused, they may have stopped. */
import { onOutage, outageSince } from '../connection.js';
import { el } from '../dom.js';
import { clock } from '../format.js';

const STATUS = {
  live: 'Live',
  polling: 'Polling every 5 seconds',
  paused: 'Paused',
  disconnected: 'Reconnecting',
};

/** Creates the badge; `set` takes a status, and `close` ends it. */
export function liveBadge() {
  const element = el('span.pf-c-label.live-status', { 'data-status': '' }, '\u2026');
  let status = '';
  const close = onOutage(show);

  function show() {
    const since = status === 'paused' ? null : outageSince();
    element.textContent = since === null ? STATUS[status] : `Frozen since ${clock(since)}`;
    element.dataset.status = since === null ? status : 'frozen';
  }

  return {
    element,
    set(next) {
      status = next;
      show();
    },
    close,
  };
}
