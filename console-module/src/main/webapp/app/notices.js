/** Success notices above the page, and announcements for screen readers. */
import { el } from './dom.js';

const MAX_NOTICES = 3;
const SHOWN_MS = 10_000;

/**
 * Shows a notice for ten seconds, and for as long as the pointer or the focus is on it.
 *
 * @param content text and elements
 */
export function notice(...content) {
  const container = document.getElementById('notices');
  const one = el(
    'div.pf-c-alert.pf-m-inline.pf-m-success',
    {},
    el('p.pf-c-alert__title', {}, content),
    el(
      'button.pf-c-button.pf-m-plain.close',
      { type: 'button', 'aria-label': 'Dismiss notice', onclick: () => one.remove() },
      '\u00d7',
    ),
  );
  container.append(one);
  setTimeout(end, SHOWN_MS);

  function end() {
    if (one.matches(':hover, :focus-within')) {
      setTimeout(end, SHOWN_MS);
    } else {
      one.remove();
    }
  }

  while (container.children.length > MAX_NOTICES) {
    container.firstElementChild.remove();
  }
}

/** Dismisses all notices. */
export function clearNotices() {
  document.getElementById('notices').replaceChildren();
}

/** Announces text to screen readers. */
export function announce(text) {
  document.getElementById('announcer').textContent = text;
}
