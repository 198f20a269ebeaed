/** Copy buttons with visible and spoken confirmation. */
import { el } from './dom.js';
import { announce } from './notices.js';

const FEEDBACK_MS = 2_000;

/** A button that copies the result of `text()`. */
export function copyButton(label, text, name = undefined) {
  const button = el(
    'button.pf-c-button.pf-m-link.pf-m-inline.copy',
    { type: 'button', 'aria-label': name, onclick: () => copy(button, label, text()) },
    label,
  );
  return button;
}

async function copy(button, label, text) {
  let feedback = 'Copied';
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    feedback = copyBySelection(text) ? feedback : 'Copying is blocked by the browser';
  }
  button.textContent = feedback;
  announce(feedback);
  setTimeout(() => (button.textContent = label), FEEDBACK_MS);
}

/** Fallback for plain HTTP, where browsers expose no clipboard API. */
function copyBySelection(text) {
  const area = el('textarea.visually-hidden', { value: text, 'aria-hidden': 'true' });
  const focused = document.activeElement;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  focused?.focus();
  return isCopied;
}
