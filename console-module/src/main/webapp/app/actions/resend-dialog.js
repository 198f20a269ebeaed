/** Sends a letter again with something changed, as a new message; the letter leaves the queue with it. */
import { path, post } from '../api.js';
import { el, fill } from '../dom.js';
import { asText, fromBase64, isGzip, toBase64 } from '../payload/bytes.js';
import { visible } from '../format.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import { field, labelled, noteField, openDialog, topicField } from './dialog.js';

/** Larger ones are not edited in a browser. */
const EDITABLE_BYTES = 256 * 1024;

/**
 * Opens the dialog.
 *
 * @param letter with its payload
 * @param done called when it was sent
 */
export function resendDialog(topic, letter, done) {
  openDialog(`Edit and resend ${letter.msg_id}`, (close) => {
    const payload = payloadField(letter);
    const attrs = field('textarea', {
      rows: '3',
      name: 'attrs',
      value: attrLines(letter.attrs ?? {}),
    });
    const attrsBefore = attrs.value;
    const target = topicField();
    const key = field('input', {
      type: 'text',
      maxlength: '255',
      name: 'idem_key',
      placeholder: `resend-${letter.msg_id}`,
    });
    const note = noteField();
    const failure = el('div');
    const hint = el('p.field-help', { role: 'status' });
    const send = el(
      'button.pf-c-button.pf-m-primary',
      { type: 'submit', 'data-action': 'resend', disabled: true },
      'Resend',
    );

    function check() {
      send.disabled = note.value.trim() === '' || !form.checkValidity();
      hint.textContent = payload.warning();
    }

    async function submit(event) {
      event.preventDefault();
      send.disabled = true;
      try {
        const sent = await post(path('dlq', topic, letter.msg_id, 'resend'), {
          ...payload.change(),
          ...(attrs.value === attrsBefore ? {} : { attrs: parsedAttrs(attrs.value) }),
          ...(target.value === '' ? {} : { to_topic: target.value }),
          ...(key.value === '' ? {} : { idem_key: key.value }),
          note: note.value.trim(),
        });
        close();
        notice(
          'Sent again as ',
          el('code', {}, visible(sent.msg_id)),
          sent.duplicate ? ', which was there before' : '',
        );
        done();
      } catch (error) {
        fill(failure, panel(error));
        check();
      }
    }

    const form = el(
      'form.pf-c-form.dialog-form',
      { oninput: check, onsubmit: submit },
      payload.element,
      hint,
      labelled('Attributes, one key=value a line', attrs, 'They replace those it had.'),
      labelled('To another topic', target, 'Empty: to this one.'),
      labelled(
        'Idempotency key',
        key,
        'Empty: one that is made of the letter\u2019s id, so that it is never sent twice.',
      ),
      labelled('Note for the audit', note),
      failure,
      el(
        'div.dialog-buttons',
        {},
        send,
        el('button.pf-c-button.pf-m-secondary', { type: 'button', onclick: close }, 'Cancel'),
      ),
    );
    return form;
  });
}

/** The payload as it is edited: as text where it is text, else as base64. */
function payloadField(letter) {
  const bytes = fromBase64(letter.payload);
  if (bytes.length > EDITABLE_BYTES) {
    const words = 'The payload is too large to be edited here and goes as it is.';
    return { element: el('p', {}, words), change: () => ({}), warning: () => '' };
  }
  const text = isGzip(bytes) ? null : asText(bytes);
  const isJson = text !== null && parses(text);
  const input = field('textarea', { rows: '8', name: 'payload', value: text ?? letter.payload });
  // A field has line ends of its own: what nobody touched is not sent.
  const before = input.value;
  return {
    element: labelled(text === null ? 'Payload, in base64' : 'Payload', input),
    change: () =>
      input.value === before
        ? {}
        : {
            payload:
              text === null ? input.value.trim() : toBase64(new TextEncoder().encode(input.value)),
          },
    warning: () =>
      isJson && !parses(input.value) ? 'The payload was JSON and is none any more.' : '',
  };
}

function parses(text) {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** But for those that the service gives. */
const attrLines = (attrs) =>
  Object.entries(attrs)
    .filter(([key]) => !key.startsWith('mailbox.'))
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');

function parsedAttrs(lines) {
  return Object.fromEntries(
    lines
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => [line.split('=', 1)[0].trim(), line.slice(line.indexOf('=') + 1)]),
  );
}
