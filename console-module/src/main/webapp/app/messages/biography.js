/** Shows one message: its state, and the facts in order. */
import { el } from '../dom.js';
import { actor, count, time, visible } from '../format.js';
import { href } from '../router.js';

const STATES = {
  ready: ['pf-m-blue', 'Ready', 'The next consumer can take it.'],
  scheduled: ['pf-m-blue', 'Scheduled', 'It waits for its time.'],
  leased: ['pf-m-cyan', 'Leased', 'A consumer has it.'],
  dead: ['pf-m-red', 'Dead letter', 'It could not be delivered.'],
  gone: ['pf-m-green', 'Gone', 'It was sent, and is in no other place.'],
  unknown: ['pf-m-orange', 'Unknown', 'Not every place was seen.'],
};

const FACTS = {
  sent: 'Sent',
  ledger: 'In the ledger',
  nacked: 'Negative acknowledgement',
  expired: 'Lease expired',
  reprocessed: 'Redriven',
  leased: 'Leased',
  scheduled: 'Scheduled',
  ready: 'Ready',
  dead: 'Dead-lettered',
  acked: 'Acknowledged',
  gone: 'Gone',
};

const UNTIL = { leased: 'Leased until', scheduled: 'Due' };

/**
 * Shows the answer of the server.
 *
 * @param again called by the button that looks again
 */
export function biography(told, again) {
  const [color, label, meaning] = STATES[told.now] ?? STATES.unknown;
  return [
    el(
      'p.message-state',
      {},
      el(
        `span.pf-c-label.${color}`,
        { 'data-now': told.now },
        el('span.pf-c-label__content', {}, label),
      ),
      ` ${meaning}`,
    ),
    !told.complete && el('p.message-incomplete', {}, 'Not every place was seen. Look again.'),
    el(
      'button.pf-c-button.pf-m-secondary',
      { type: 'button', 'data-action': 'look-again', onclick: again },
      'Look again',
    ),
    descriptions(told),
    told.facts.length > 0 && [
      el('h2.pf-c-title.pf-m-xl', {}, 'What happened'),
      el('ol.history.message-facts', {}, told.facts.map(entry)),
    ],
  ];
}

function descriptions(told) {
  const pairs = [
    ['Topic', told.topic && el('a', { href: letters(told.topic) }, visible(told.topic))],
    ['Dead letter', told.now === 'dead' && letterLink(told)],
    ['Redriven by', jobLink(lastJob(told))],
    [UNTIL[told.now], told.until && time(told.until)],
    ['Attempt', told.attempt && count(told.attempt)],
    ['Idempotency key', told.idem_key && el('code', {}, visible(told.idem_key))],
    ['Correlation id', told.corr_id && el('code', {}, visible(told.corr_id))],
    ['Shard / sequence', told.seq !== undefined && `${told.shard} / ${told.seq}`],
    ['Looked at', time(told.looked_at)],
  ];
  return el(
    'dl.facts',
    {},
    pairs
      .filter(([, value]) => Boolean(value))
      .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  );
}

const letters = (topic) => href(['topics', topic, 'letters']);

const letterLink = ({ topic, msg_id: msgId }) =>
  el('a', { href: `${letters(topic)}?${new URLSearchParams({ letter: msgId })}` }, 'Open');

/** The job named by the last redrive; undefined for none, or for one without a job. */
const lastJob = ({ facts }) =>
  /^job (j[0-9a-f]{16})/.exec(facts.findLast(({ kind }) => kind === 'reprocessed')?.note)?.[1];

const jobLink = (job) => job && el('a', { href: href(['jobs', job]) }, job);

function entry({ kind, at, source, attempt, by, by_name: name, note }) {
  const what = FACTS[kind] ?? visible(kind);
  return el(
    'li',
    { 'data-fact': kind },
    el('strong', {}, attempt === undefined ? what : `${what}, attempt ${count(attempt)}`),
    ' ',
    el('span.message-source', {}, source === 'recorded' ? 'recorded' : 'inferred'),
    at && el('div', {}, time(at)),
    note && el('div.history-note', {}, visible(note)),
    by && el('div.history-by', {}, 'by ', actor(by, name)),
  );
}
