/** Sends a message that consumers can tell from others by its attribute. */
import { actionDialog } from '../actions/action-dialog.js';
import { field, labelled } from '../actions/dialog.js';
import { path } from '../api.js';
import { el } from '../dom.js';
import { href } from '../router.js';

const MAX_CHARACTERS = 10_000;

/**
 * Opens the dialog.
 *
 * @param sent called once the message is stored
 */
export function testMessage(topic, sent) {
  const text = field('textarea', { rows: '4', name: 'payload', maxlength: String(MAX_CHARACTERS) });
  text.value = '{"test": true}';
  // One key for all attempts of this dialog, so that a repeat sends nothing twice.
  const key = `console-test-${randomHex()}`;
  actionDialog({
    title: `Send a test message to ${topic}?`,
    label: 'Send test message',
    parts: [
      el('p', {}, 'Consumers get it as any other, with the attribute ', el('code', {}, 'mailbox.test=true'), '.'),
      labelled('Payload (text)', text),
    ],
    right: () => ({ op: 'send', topic }),
    request: () => ({
      method: 'POST',
      path: path('send'),
      body: {
        topic,
        payload: base64(text.value),
        idem_key: key,
        attrs: { 'mailbox.test': 'true' },
      },
    }),
    done({ msg_id: id }) {
      sent();
      return ['Sent a test message. ', el('a', { href: href(['messages', id]) }, 'View message')];
    },
  });
}

/** 128 random bits; unlike `randomUUID`, also on a page that came over plain HTTP. */
const randomHex = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');

const base64 = (text) => btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
