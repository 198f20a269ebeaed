/** The first ready messages of a topic. Looking takes no lease and no attempt. */
import { field, toolbarField } from '../actions/dialog.js';
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { count, shortTime, size, time, visible } from '../format.js';
import { attributes, descriptions } from '../letters/letter-parts.js';
import { fromBase64 } from '../payload/bytes.js';
import { payloadPreview } from '../payload/preview.js';
import { panel } from '../problem.js';
import { go, href } from '../router.js';
import { isAdministrator } from '../session.js';
import { topicHead } from './head.js';
import { testMessage } from './test-message.js';

const MOST = 20;

/** Opens the tab. */
export function messagesTab(container, { parts }) {
  const [, topic] = parts;
  const title = `Messages of ${topic}`;
  const head = topicHead(
    container,
    topic,
    'messages',
    title,
    button('Refresh', 'refresh', refresh),
    isAdministrator() &&
      button('Send test message', 'test-message', () => testMessage(topic, refresh)),
  );
  const shard = field('select', { onchange: choose });
  const note = el('p', { role: 'status' }, 'Loading \u2026');
  const failure = el('div');
  const list = el('ol.peeked');
  let view = '';
  let request = new AbortController();

  fill(
    container,
    head.element,
    el('div.toolbar', {}, toolbarField('Shard', shard)),
    failure,
    note,
    list,
  );

  function choose() {
    go(href(parts, new URLSearchParams(shard.value === '' ? {} : { shard: shard.value })));
  }

  function show({ query }) {
    view = query.get('shard') ?? '';
    refresh();
  }

  async function refresh() {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    head.refresh();
    const asked = new URLSearchParams({ limit: MOST, ...(view === '' ? {} : { shard: view }) });
    try {
      const [{ ready_shards: shards }, { messages }] = await Promise.all([
        get(path('topics', topic), undefined, signal),
        get(path('topics', topic, 'peek'), asked, signal),
      ]);
      failure.replaceChildren();
      offer(Math.max(shards, Number(view) + 1));
      note.textContent = summarize(messages.length, view !== '');
      fill(list, messages.map(entry));
    } catch (error) {
      if (!signal.aborted) {
        note.textContent = '';
        fill(failure, panel(error, refresh));
      }
    }
  }

  function offer(shards) {
    fill(
      shard,
      el('option', { value: '' }, 'All shards'),
      Array.from({ length: shards }, (_, i) => el('option', { value: String(i) }, String(i))),
    );
    shard.value = view;
  }

  return {
    title,
    show,
    close() {
      head.close();
      request.abort();
    },
  };
}

const button = (text, action, onclick) =>
  el('button.pf-c-button.pf-m-secondary', { type: 'button', 'data-action': action, onclick }, text);

function summarize(shown, isOfShard) {
  if (shown === 0) {
    return `No message is ready in ${isOfShard ? 'this shard' : 'this topic'}. SEND fills it; messages that \
wait for their time and those of consumers have their own tabs.`;
  }
  const number = shown === 1 ? '1 message' : `${count(shown)} messages`;
  return shown === MOST ? `The first ${number}` : `${number}, next one first`;
}

/** One message; the payload is decoded when it is opened. */
function entry(message) {
  const body = el('div.peeked-body');
  const details = el(
    'details',
    {
      ontoggle() {
        if (details.open && !body.hasChildNodes()) {
          fill(body, content(message));
        }
      },
    },
    el(
      'summary',
      {},
      shortTime(message.ts),
      ' ',
      el('span.peeked-key', {}, visible(message.idem_key)),
      ` ${size(fromBase64(message.payload).length)}`,
    ),
    body,
  );
  return el('li', { 'data-id': message.msg_id }, details);
}

const content = (message) => [
  descriptions([
    ['Message', el('a', { href: href(['messages', message.msg_id]) }, message.msg_id)],
    ['Sent', time(message.ts)],
    ['Next attempt', count(message.attempt)],
    ['Shard / sequence', `${message.shard} / ${message.seq}`],
    ['Last error', message.last_error && visible(message.last_error)],
  ]),
  el('h2.pf-c-title.pf-m-md', {}, 'Attributes'),
  attributes(message.attrs ?? {}),
  el('h2.pf-c-title.pf-m-md', {}, 'Payload'),
  payloadPreview(message),
];
