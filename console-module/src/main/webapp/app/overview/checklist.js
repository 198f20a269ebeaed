/** The first steps on a service without topics. Counters tick them while the page is open. */
import { get } from '../api.js';
import { copyButton } from '../clipboard.js';
import { curl } from '../curl.js';
import { el } from '../dom.js';
import { href } from '../router.js';
import { may } from '../session.js';

const POLL_MS = 5_000;
const TOPIC = 'orders';
const KEY = 'first-message';

const MINTED = { caveats: ['ops = send,recv,ack', `topic = ${TOPIC}`], expires_in: '1d' };
const SENT = { topic: TOPIC, payload: btoa('hello'), idem_key: KEY };
const RECEIVED = { topic: TOPIC, visibility_ms: 60_000, wait_ms: 10_000 };
const ACKED = { msg_id: 'MSG_ID', receipt: 'RECEIPT' };

/** Each step with the sums that show that it is done; a later one shows it of the earlier ones. */
const STEPS = [
  {
    name: 'mint',
    title: 'Mint a capability',
    text: [
      'For a program that sends and receives. Use the operator\u2019s capability here, and the answer\u2019s ',
      el('code', {}, 'capability'),
      ' below.',
    ],
    call: () => curl('POST', '/v1/capabilities', MINTED),
    isDone: () => false,
  },
  {
    name: 'send',
    title: 'Send a message',
    text: 'The topic is created. The key makes a repeated call send nothing twice.',
    call: () => curl('POST', '/v1/send', SENT),
    isDone: ({ ready, scheduled, inflight, dlq, sent_per_s: sent }) =>
      ready + scheduled + inflight + dlq + sent > 0,
  },
  {
    name: 'receive',
    title: 'Receive it',
    text: 'You hold it for a minute. The answer has its id and a receipt.',
    call: () => curl('POST', '/v1/recv', RECEIVED),
    isDone: ({ inflight, delivered_per_s: delivered }) => inflight + delivered > 0,
  },
  {
    name: 'acknowledge',
    title: 'Acknowledge it',
    text: 'It is done for good. Without this, another consumer gets it after the minute.',
    call: () => curl('POST', '/v1/ack', ACKED),
    isDone: ({ acked_per_s: acked }) => acked > 0,
  },
];

/** Creates the list, which is hidden until `update` tells of a service without topics. */
export function checklist() {
  const items = STEPS.map(item);
  const element = el(
    'section.checklist',
    { hidden: true, 'aria-labelledby': 'checklist' },
    el('h2.pf-c-title.pf-m-xl', { id: 'checklist' }, 'First steps'),
    el('ol', {}, items.map((one) => one.element)),
  );
  const ended = new AbortController();
  let timer = 0;

  function update(sums) {
    if (element.hidden && sums.topics === 0) {
      element.hidden = false;
      lookForCapability();
    }
    if (!element.hidden) {
      tick(STEPS.findLastIndex(({ isDone }) => isDone(sums)));
    }
  }

  function tick(last) {
    items.slice(0, last + 1).forEach((one) => one.tick());
  }

  async function lookForCapability() {
    if (!may('audit') || items[0].isTicked()) {
      return;
    }
    try {
      const params = new URLSearchParams({ kind: 'minted', limit: '10' });
      const { capabilities } = await get('/v1/capabilities', params, ended.signal);
      // The service mints the operator's itself.
      capabilities.some(({ minted_by: by }) => by !== 'service') && tick(0);
    } catch {
      // The page tells what is away.
    }
    if (!ended.signal.aborted) {
      timer = setTimeout(lookForCapability, POLL_MS);
    }
  }

  return {
    element,
    update,
    close() {
      ended.abort();
      clearTimeout(timer);
    },
  };
}

function item({ name, title, text, call }) {
  const done = el('span.pf-c-label.checklist-done', { hidden: true, role: 'status' });
  let isTicked = false;
  return {
    element: el(
      'li',
      { 'data-step': name },
      el('h3.pf-c-title.pf-m-md', {}, title, ' ', done),
      el('p', {}, text),
      el('pre.minted-text', { tabindex: '0', 'aria-label': `${title}: command` }, call()),
      copyButton('Copy', call),
      ' ',
      name === 'mint' && may('audit') && el('a', { href: href(['capabilities']) }, 'Mint in the console'),
    ),
    isTicked: () => isTicked,
    tick() {
      if (!isTicked) {
        isTicked = true;
        done.hidden = false;
        done.textContent = 'Done';
      }
    },
  };
}
