/** What has happened, in a line above the page until somebody closes it; and words for the ear only. */
import { el } from './dom.js';

const AT_MOST = 3;

/**
 * Tells what was done.
 *
 * @param words text and elements
 */
export function notice(...words) {
  const place = document.getElementById('notices');
  const one = el(
    'div.pf-c-alert.pf-m-inline.pf-m-success',
    {},
    el('p.pf-c-alert__title', {}, words),
    el(
      'button.pf-c-button.pf-m-plain.close',
      { type: 'button', 'aria-label': 'Close this notice', onclick: () => one.remove() },
      '\u00d7',
    ),
  );
  place.append(one);
  while (place.children.length > AT_MOST) {
    place.firstElementChild.remove();
  }
}

/** Takes all of them away. */
export function clearNotices() {
  document.getElementById('notices').replaceChildren();
}

/** Says something to who listens to the page and does not see it. */
export function announce(words) {
  document.getElementById('announcer').textContent = words;
}
