/** The parts of one letter: facts, attributes, history, proofs. */
import { el } from '../dom.js';
import { count, time, visible } from '../format.js';
import { REASONS } from './filter.js';
import { trace } from './trace.js';

const EVENTS = { nacked: 'Refused', expired: 'Lease ran out', reprocessed: 'Brought back' };

const LEDGER = {
  intact: ['pf-m-green', 'In the ledger, unaltered'],
  altered: ['pf-m-red', 'Differs from what the ledger has'],
  not_found: ['pf-m-red', 'The ledger has no such entry'],
  trimmed: ['pf-m-blue', 'Older than what the ledger keeps'],
  unknown: ['pf-m-orange', 'Could not be compared with the ledger'],
};

export const facts = {
  error: (letter) => visible(letter.last_error) || '(none)',

  /** What the letter is; its group is a link. */
  list: (letter, group) =>
    descriptions([
      ['Reason', `${REASONS[letter.reason] ?? ''} (${letter.reason})`],
      ['Group', el('a', { href: group(letter.fingerprint) }, letter.fingerprint)],
      ['Died', time(letter.dead_at)],
      ['Kept until', time(letter.expires_at)],
      ['Deliveries', count(letter.attempt)],
      [
        'Brought back before',
        letter.reprocessed > 0 ? `${count(letter.reprocessed)} times` : 'never',
      ],
      ['Sent', letter.ts && time(letter.ts)],
      ['Idempotency key', code(letter.idem_key)],
      ['Correlation id', code(letter.corr_id)],
      ['Trace', trace(letter.traceparent)],
      ['Shard and place', letter.seq === undefined ? null : `${letter.shard} / ${letter.seq}`],
      ['Signature', code(letter.sig)],
    ]),
};

/** The sender's attributes. */
export function attributes(attrs) {
  const entries = Object.entries(attrs);
  return entries.length === 0
    ? el('p', {}, 'None.')
    : descriptions(entries.map(([key, value]) => [visible(key), code(value)]));
}

/** What happened to it, oldest first. */
export function history(letter) {
  return [
    letter.history_dropped > 0 &&
      el('p', {}, `${count(letter.history_dropped)} earlier events are not kept.`),
    letter.history.length === 0
      ? el('p', {}, 'Nothing was noted.')
      : el('ol.history', {}, letter.history.map(happened)),
  ];
}

function happened(event) {
  return el(
    'li',
    {},
    el('strong', {}, `${EVENTS[event.event] ?? event.event}, delivery ${count(event.attempt)}`),
    el('div', {}, time(event.at)),
    el('div.history-note', {}, visible(event.note)),
    event.by && el('div', {}, 'with capability ', code(event.by)),
  );
}

/** Hashes, and whether the ledger agrees. */
export function proofs(letter) {
  const [color, words] = LEDGER[letter.ledger?.status] ?? LEDGER.unknown;
  return descriptions([
    [
      'Ledger',
      el(
        `span.pf-c-label.${color}`,
        { 'data-ledger': letter.ledger?.status ?? 'unknown' },
        el('span.pf-c-label__content', {}, words),
      ),
    ],
    ['Place in it', letter.ledger?.seq === undefined ? null : count(letter.ledger.seq)],
    ['Payload hash', code(letter.payload_hash)],
    ['Hash chain', code(letter.hash_chain)],
  ]);
}

const code = (text) => (text === undefined || text === null ? null : el('code', {}, visible(text)));

function descriptions(pairs) {
  return el(
    'dl.facts',
    {},
    pairs
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  );
}
