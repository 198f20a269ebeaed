/** A question in front of the page. The browser keeps the focus in it and gives it back afterwards. */
import { el, freshId } from '../dom.js';

/**
 * Opens it.
 *
 * @param content takes what closes the dialog, and gives what is in it
 */
export function openDialog(title, content) {
  const id = freshId('dialog');
  const dialog = el('dialog.pf-c-modal-box.pf-m-md.dialog', { 'aria-labelledby': id });
  const close = () => dialog.close();
  dialog.append(
    el(
      'header.dialog-head',
      {},
      el('h2.pf-c-title.pf-m-xl', { id }, title),
      el(
        'button.pf-c-button.pf-m-plain.close',
        { type: 'button', 'aria-label': 'Close', onclick: close },
        '\u00d7',
      ),
    ),
    el('div.dialog-body', {}, content(close)),
  );
  // Whoever goes elsewhere, by the browser's own buttons, has no more use for it.
  addEventListener('hashchange', close);
  dialog.addEventListener('close', () => {
    removeEventListener('hashchange', close);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** A field with its label, and with words that help. */
export function labelled(label, input, help = '') {
  input.id ||= freshId('field');
  const hint = help === '' ? null : el('p.field-help', { id: `${input.id}-help` }, help);
  if (hint !== null) {
    input.setAttribute('aria-describedby', hint.id);
  }
  return el('div.field', {}, el('label', { for: input.id }, label), input, hint);
}

/** A field to write into. */
export const field = (tag, attributes = {}) =>
  el(`${tag}.pf-c-form-control`, { autocomplete: 'off', spellcheck: 'false', ...attributes });

/** The note that goes into the audit. */
export const noteField = () =>
  field('textarea', { rows: '2', maxlength: '1024', required: true, name: 'note' });

/** A topic's name; empty for none. */
export const topicField = () =>
  field('input', {
    type: 'text',
    maxlength: '255',
    pattern: '[A-Za-z0-9._\\-]+',
    name: 'to_topic',
  });
