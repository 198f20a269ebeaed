/** Mints a capability from a template, and shows its token once. */
import { copyButton } from '../clipboard.js';
import { el, fill } from '../dom.js';
import { visible } from '../format.js';
import { panel } from '../problem.js';
import { stepUp } from './elevate.js';
import { dialogButtons, field, labelled, openDialog } from './dialog.js';

/** The needs of each kind of holder. */
const TEMPLATES = {
  producer: { label: 'Producer', ops: 'send', life: '365d', note: 'such as "shop: sends orders"' },
  consumer: {
    label: 'Consumer',
    ops: 'recv,ack,nack,extend,peek',
    life: '365d',
    note: 'such as "orders worker"',
  },
  oncall: {
    label: 'On-call',
    ops: 'dlq,dlq.edit,peek,audit,pause',
    life: '8h',
    note: 'such as "ann, night of 12 May"',
  },
};

/**
 * Opens the dialog.
 *
 * @param done called once a capability was minted
 */
export function mintDialog(done) {
  openDialog('Mint a capability', (close) => {
    const content = el('div');
    fill(content, form(close, (minted, given) => {
      done();
      fill(content, shown(minted, given, close));
      content.querySelector('[data-action=copy-token] button').focus();
    }));
    return content;
  });
}

function form(close, minted) {
  const template = fill(
    field('select', { name: 'template', onchange: apply, autofocus: true }),
    Object.entries(TEMPLATES).map(([value, { label }]) => el('option', { value }, label)),
  );
  const topic = field('input', {
    type: 'text',
    name: 'topic',
    maxlength: '255',
    pattern: '[A-Za-z0-9._\\-]+(\\.\\*)?',
  });
  const ops = field('input', { type: 'text', name: 'ops', required: true, maxlength: '255' });
  const more = field('textarea', { name: 'caveats', rows: '2', maxlength: '4000' });
  const life = field('input', {
    type: 'text',
    name: 'life',
    required: true,
    pattern: '[0-9]+(s|m|h|d)',
    maxlength: '12',
  });
  const note = field('input', { type: 'text', name: 'note', required: true, maxlength: '255' });
  const failure = el('div');
  const mint = el(
    'button.pf-c-button.pf-m-primary',
    { type: 'submit', 'data-action': 'mint-now' },
    'Mint',
  );

  function apply() {
    const chosen = TEMPLATES[template.value];
    ops.value = chosen.ops;
    life.value = chosen.life;
    note.placeholder = chosen.note;
  }

  const body = () => ({
    caveats: [
      `ops = ${ops.value.trim()}`,
      ...(topic.value.trim() === '' ? [] : [`topic = ${topic.value.trim()}`]),
      ...more.value
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    ],
    expires_in: life.value.trim(),
    note: note.value.trim(),
  });

  async function submit(event) {
    event.preventDefault();
    mint.disabled = true;
    try {
      const answer = await stepUp('mint', body());
      if (answer !== null) {
        minted(answer, { template: template.value, topic: topic.value.trim() });
      }
    } catch (error) {
      fill(failure, panel(error));
    } finally {
      mint.disabled = false;
    }
  }

  apply();
  return el(
    'form.pf-c-form.dialog-form',
    { onsubmit: submit },
    labelled('Template', template),
    labelled('Topic (optional)', topic, 'orders, or orders.* for every topic below it. Empty: all.'),
    labelled('Operations', ops, 'Separated by commas; neither admin nor revoke.'),
    labelled('Further caveats (optional)', more, 'One a line, such as rate = 100/s.'),
    labelled('Lifetime', life, 'Such as 8h or 90d; at most 365d.'),
    labelled('Note', note, 'Names the holder in the audit, in jobs and in histories.'),
    failure,
    dialogButtons(mint, close),
  );
}

/** The token, which no later call tells again. */
function shown(minted, given, close) {
  const topic = given.topic === '' || given.topic.endsWith('*') ? 'orders' : given.topic;
  return el(
    'div.dialog-form',
    {},
    el('p', {}, 'Copy the capability now. The service keeps no copy and shows it only here.'),
    code('token', 'Capability', minted.capability),
    el('p', {}, 'Nonce, to revoke it: ', el('code', {}, visible(minted.nonce))),
    code('curl', 'curl', curlOf(given.template, topic)),
    given.template !== 'oncall' && code('java', 'Java', javaOf(given.template, topic)),
    el(
      'div.dialog-buttons',
      {},
      el('button.pf-c-button.pf-m-primary', { type: 'button', onclick: close }, 'Done'),
    ),
  );
}

const code = (name, label, text) =>
  el(
    'section.minted',
    { 'aria-label': label },
    el(
      'div.minted-head',
      { 'data-action': `copy-${name}` },
      el('h3', {}, label),
      copyButton('Copy', () => text, `Copy ${label}`),
    ),
    el('pre.minted-text', { tabindex: '0', 'data-shown': name }, text),
  );

const HEADERS = `-H "Authorization: Bearer $MAILBOX_CAPABILITY" -H 'Content-Type: application/json'`;
const call = (path, body) =>
  `curl -sS ${HEADERS} \\\n  ${location.origin}${path} \\\n  -d '${JSON.stringify(body)}'`;

function curlOf(template, topic) {
  if (template === 'producer') {
    return call('/v1/send', { topic, idem_key: 'order-1', payload: 'aGVsbG8=' });
  }
  return template === 'consumer'
    ? call('/v1/recv', { topic, wait_ms: 20000 })
    : `curl -sS -H "Authorization: Bearer $MAILBOX_CAPABILITY" \\\n  ${location.origin}/v1/dlq/${topic}`;
}

const javaOf = (template, topic) => `Mailbox<String, Void> mailbox =
    HttpMailbox.builder(
            URI.create("${location.origin}"),
            TokenSource.file(Path.of("mailbox.cap")),
            "${topic}",
            Codecs.utf8())
        .build();
${
  template === 'producer'
    ? 'mailbox.send(Outgoing.builder("hello").key("order-1").build());'
    : `for (Message<String, Void> message : mailbox.receive(10)) {
  System.out.println(message.body());
  message.acknowledge();
}`
}`;
