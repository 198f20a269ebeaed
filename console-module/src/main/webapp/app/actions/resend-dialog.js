/** The dialog that resends a dead letter, edited, as a new message in its place. */
import { path, post } from '../api.js';
import { el, fill } from '../dom.js';
import { asText, fromBase64, isGzip, toBase64 } from '../payload/bytes.js';
import { visible } from '../format.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import {
  dialogButtons,
  field,
  labelled,
  noteField,
  openDialog,
  topicField,
  ttlField,
  ttlOf,
} from './dialog.js';

/** Larger payloads are resent unchanged. */
const MAX_EDITABLE_BYTES = 256 * 1024;

/**
 * Opens the dialog.
 *
 * @param letter the dead letter, with its payload
 * @param done called once it was resent
 */
export function resendDialog(topic, letter, done) {
  openDialog(`Edit and resend ${letter.msg_id}`, (close) => {
    const payload = payloadField(letter);
    const attrs = field('textarea', {
      rows: '3',
      name: 'attrs',
      value: attrLines(letter.attrs ?? {}),
    });
    const originalAttrs = attrs.value;
    const target = topicField();
    const key = field('input', {
      type: 'text',
      maxlength: '255',
      name: 'idem_key',
      placeholder: `resend-${letter.msg_id}`,
    });
    const ttl = ttlField();
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
          ...(attrs.value === originalAttrs ? {} : { attrs: parsedAttrs(attrs.value) }),
          ...(target.value === '' ? {} : { to_topic: target.value }),
          ...(key.value === '' ? {} : { idem_key: key.value }),
          ...ttlOf(ttl),
          note: note.value.trim(),
        });
        close();
        notice(
          'Resent as ',
          el('code', {}, visible(sent.msg_id)),
          sent.duplicate ? ' (duplicate of an earlier resend)' : '',
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
      labelled('Attributes (key=value, one per line)', attrs, 'Replaces all existing attributes.'),
      labelled('Target topic (optional)', target, 'Default: this topic.'),
      labelled(
        'Idempotency key (optional)',
        key,
        'Default: derived from the message id, so that it is resent at most once.',
      ),
      labelled(
        'Time to live in seconds (optional)',
        ttl,
        "Default: the letter's own, or the topic's retention_ready.",
      ),
      labelled('Audit note', note),
      failure,
      dialogButtons(send, close),
    );
    return form;
  });
}

/** The editor of the payload: text if it is UTF-8, otherwise base64. */
function payloadField(letter) {
  const bytes = fromBase64(letter.payload);
  if (bytes.length > MAX_EDITABLE_BYTES) {
    const hint = 'The payload is too large to edit and is resent unchanged.';
    return { element: el('p', {}, hint), change: () => ({}), warning: () => '' };
  }
  const text = isGzip(bytes) ? null : asText(bytes);
  const isJson = text !== null && parses(text);
  const input = field('textarea', { rows: '8', name: 'payload', value: text ?? letter.payload });
  // A textarea normalizes line ends, so an untouched payload must not be sent from it.
  const original = input.value;
  return {
    element: labelled(text === null ? 'Payload (base64)' : 'Payload', input),
    change: () =>
      input.value === original
        ? {}
        : {
            payload:
              text === null ? input.value.trim() : toBase64(new TextEncoder().encode(input.value)),
          },
    warning: () => (isJson && !parses(input.value) ? 'The payload is no longer valid JSON.' : ''),
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

/** Without the attributes that the service sets itself. */
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
