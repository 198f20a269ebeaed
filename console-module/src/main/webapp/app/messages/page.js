/** Finds one message: by its id, or by topic and key. */
import { field, toolbarField } from '../actions/dialog.js';
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { time, visible } from '../format.js';
import { announce } from '../notices.js';
import { panel } from '../problem.js';
import { go, href } from '../router.js';
import { biography } from './biography.js';

/** Opens the page for a search, or for one message. */
export function messagesPage(container) {
  // With spaces around it, as it was copied.
  const id = text('40');
  const topic = text('255');
  const key = text('255');
  const corrId = text('128');
  const title = el('h1.pf-c-title.pf-m-2xl', {}, 'Find message');
  const byKey = form('By key', findKey, [
    ['Topic', topic],
    ['Idempotency key', key],
    ['or correlation id', corrId],
  ]);
  id.required = true;
  topic.required = true;
  byKey.addEventListener('input', askForKey);
  const result = el('div.message');
  let request = new AbortController();
  let scope = {};
  let isFirst = true;

  fill(
    container,
    el('div.page-head', {}, title),
    form('By id', findId, [['Message id', id]]),
    byKey,
    result,
  );

  function findId(event) {
    event.preventDefault();
    visit(href(['messages', canonical(id.value)]));
  }

  function askForKey() {
    const isAsked = key.value === '' && corrId.value === '';
    key.setCustomValidity(isAsked ? 'Enter a key, or a correlation id.' : '');
  }

  function findKey(event) {
    event.preventDefault();
    const wanted = { topic: topic.value.trim(), key: key.value, corr_id: corrId.value };
    const given = Object.entries(wanted).filter(([, value]) => value !== '');
    visit(href(['messages'], new URLSearchParams(given)));
  }

  /** The URL may be the one that is shown. */
  function visit(target) {
    if (location.hash === target) {
      look();
    } else {
      go(target);
    }
  }

  function show({ parts: [, given], query }) {
    const msgId = given === undefined ? undefined : canonical(given);
    scope = { msgId, query };
    title.textContent = msgId === undefined ? 'Find message' : `Message ${visible(msgId)}`;
    byKey.hidden = msgId !== undefined;
    id.value = msgId ?? '';
    if (msgId === undefined) {
      topic.value = query.get('topic') ?? '';
      key.value = query.get('key') ?? '';
      corrId.value = query.get('corr_id') ?? '';
      askForKey();
    }
    look();
    if (isFirst && msgId === undefined) {
      id.focus();
    }
    isFirst = false;
  }

  async function look() {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    const { msgId, query } = scope;
    if (msgId === undefined && query.toString() === '') {
      result.replaceChildren();
      return;
    }
    fill(result, el('p', { role: 'status' }, 'Looking \u2026'));
    try {
      if (msgId === undefined) {
        fill(result, matches(await get(path('messages'), query, signal)));
      } else {
        const told = await get(path('messages', msgId), undefined, signal);
        fill(result, biography(told, look));
        announce(`The message is ${told.now}.`);
      }
    } catch (error) {
      if (!signal.aborted) {
        fill(result, panel(error, look));
      }
    }
  }

  return { title: 'Find message', show, refresh: look, close: () => request.abort() };
}

function matches({ messages, complete }) {
  return [
    el('p', { role: 'status' }, summarize(messages.length)),
    !complete && el('p', {}, 'There may be more: not everything was seen.'),
    el('ul.matches', {}, messages.map(match)),
  ];
}

/** Logs may have an id in lower case, and a copy spaces around it. */
const canonical = (given) => {
  const id = given.trim();
  return /^[0-9a-z]{26}$/.test(id) ? id.toUpperCase() : id;
};

const summarize = (found) =>
  found === 0
    ? 'No message has this key now, and no dead letter had it.'
    : `${found} ${found === 1 ? 'message' : 'messages'}`;

const match = ({ msg_id: msgId, source, dead_at: deadAt }) =>
  el(
    'li',
    {},
    el('a', { href: href(['messages', msgId]) }, el('code', {}, msgId)),
    source === 'key' ? ' holds the key' : null,
    deadAt && [source === 'key' ? ', died ' : ' died ', time(deadAt)],
  );

function form(name, onsubmit, fields) {
  return el(
    'form.toolbar',
    { 'aria-label': name, onsubmit },
    el(
      'div.toolbar-fields',
      {},
      fields.map(([label, input]) => toolbarField(label, input)),
    ),
    el(
      'div.toolbar-buttons',
      {},
      el('button.pf-c-button.pf-m-primary', { type: 'submit' }, `Find ${name.toLowerCase()}`),
    ),
  );
}

const text = (maxlength) => field('input', { type: 'text', maxlength });
