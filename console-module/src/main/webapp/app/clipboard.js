/** Copies texts, and says so. */
import { el } from './dom.js';
import { announce } from './notices.js';

const SAID_FOR_MS = 2_000;

/** A button that copies what `text()` gives. */
export function copyButton(label, text, name = undefined) {
  const button = el(
    'button.pf-c-button.pf-m-link.pf-m-inline.copy',
    { type: 'button', 'aria-label': name, onclick: () => copy(button, label, text()) },
    label,
  );
  return button;
}

async function copy(button, label, text) {
  let said = 'Copied';
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    said = copyBySelection(text) ? said : 'This browser does not let the page copy';
  }
  button.textContent = said;
  announce(said);
  setTimeout(() => (button.textContent = label), SAID_FOR_MS);
}

/** For pages that came over plain HTTP, where browsers have no clipboard. */
function copyBySelection(text) {
  const area = el('textarea.unseen', { value: text, 'aria-hidden': 'true' });
  const focused = document.activeElement;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return isCopied;
}
