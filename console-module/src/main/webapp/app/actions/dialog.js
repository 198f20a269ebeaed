/** Modal dialogs and their form fields. The browser traps and restores the focus. */
import { el, freshId } from '../dom.js';

/**
 * Opens a modal dialog.
 *
 * @param content takes the close function and returns the dialog's content
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
  // Browser navigation leaves the page that the dialog belongs to.
  addEventListener('hashchange', close);
  dialog.addEventListener('close', () => {
    removeEventListener('hashchange', close);
    dialog.remove();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Closes all dialogs: what they show belongs to a session. */
export function closeDialogs() {
  document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close());
}

/** The buttons below a dialog: the one of its action, `Cancel`, and others. */
export const dialogButtons = (action, close, ...more) =>
  el(
    'div.dialog-buttons',
    {},
    action,
    el('button.pf-c-button.pf-m-secondary', { type: 'button', onclick: close }, 'Cancel'),
    more,
  );

/** A field with its label and optional help text. */
export function labelled(label, input, help = '') {
  input.id ||= freshId('field');
  const hint = help === '' ? null : el('p.field-help', { id: `${input.id}-help` }, help);
  if (hint !== null) {
    input.setAttribute('aria-describedby', hint.id);
  }
  return el('div.field', {}, el('label', { for: input.id }, label), input, hint);
}

/** A field of a toolbar, with its label. */
export function toolbarField(label, input) {
  input.id ||= freshId('field');
  return el('div.toolbar-field', {}, el('label', { for: input.id }, label), input);
}

/** A form control. */
export const field = (tag, attributes = {}) =>
  el(`${tag}.pf-c-form-control`, { autocomplete: 'off', spellcheck: 'false', ...attributes });

/** The mandatory note for the audit log. */
export const noteField = () =>
  field('textarea', { rows: '2', maxlength: '1024', required: true, name: 'note' });

/** The letters of a job per second. */
export const rateField = (attributes) =>
  field('input', { type: 'number', min: '1', max: '10000', required: true, ...attributes });

/** An optional new time to live, in seconds. */
export const ttlField = () =>
  field('input', { type: 'number', min: '1', max: '31536000', name: 'ttl' });

/** The request's field for what was entered there. */
export const ttlOf = (input) => (input.value === '' ? {} : { ttl_ms: Number(input.value) * 1000 });

/** An optional topic name. */
export const topicField = () =>
  field('input', {
    type: 'text',
    maxlength: '255',
    pattern: '[A-Za-z0-9._\\-]+',
    name: 'to_topic',
  });
