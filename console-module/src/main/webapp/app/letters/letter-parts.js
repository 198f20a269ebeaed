/** Sections of a dead letter's details: facts, attributes, history, integrity. */
import { el } from '../dom.js';
import { actor, count, time, visible } from '../format.js';
import { href } from '../router.js';
import { REASONS } from './filter.js';
import { trace } from './trace.js';

const EVENTS = {
  nacked: 'Negative acknowledgement',
  expired: 'Lease expired',
  reprocessed: 'Redriven',
};

const LEDGER = {
  intact: ['pf-m-green', 'Matches the ledger'],
  altered: ['pf-m-red', 'Differs from the ledger'],
  not_found: ['pf-m-red', 'Missing from the ledger'],
  trimmed: ['pf-m-blue', 'Older than the ledger\u2019s retention'],
  unknown: ['pf-m-orange', 'Not verified'],
};

export const facts = {
  error: (letter) => visible(letter.last_error) || '(none)',

  /** The letter's properties; the group is a link. */
  list: (letter, groupUrl) =>
    descriptions([
      ['Reason', `${REASONS[letter.reason] ?? ''} (${letter.reason})`],
      ['Error group', el('a', { href: groupUrl(letter.fingerprint) }, letter.fingerprint)],
      ['Dead-lettered', time(letter.dead_at)],
      ['Retained until', time(letter.expires_at)],
      ['Attempts', count(letter.attempt)],
      ['Redriven', redriven(letter.reprocessed)],
      [
        'Last redriven by',
        letter.job && el('a', { href: href(['jobs', letter.job]) }, letter.job),
      ],
      ['Sent', letter.ts && time(letter.ts)],
      ['Idempotency key', code(letter.idem_key)],
      ['Correlation id', code(letter.corr_id)],
      ['Trace', trace(letter.traceparent)],
      ['Shard / sequence', letter.seq === undefined ? null : `${letter.shard} / ${letter.seq}`],
      ['Signature', code(letter.sig)],
    ]),
};

/** The message's attributes. */
export function attributes(attrs) {
  const entries = Object.entries(attrs);
  return entries.length === 0
    ? el('p', {}, 'None')
    : descriptions(entries.map(([key, value]) => [visible(key), code(value)]));
}

/** Delivery events, oldest first. */
export function history(letter) {
  return [
    letter.history_dropped > 0 &&
      el('p', {}, `${count(letter.history_dropped)} earlier events were dropped.`),
    letter.history.length === 0
      ? el('p', {}, 'No events recorded')
      : el('ol.history', {}, letter.history.map(entry)),
  ];
}

function entry(event) {
  return el(
    'li',
    {},
    el('strong', {}, `${EVENTS[event.event] ?? event.event}, attempt ${count(event.attempt)}`),
    el('div', {}, time(event.at)),
    el('div.history-note', {}, visible(event.note)),
    event.by && el('div.history-by', {}, 'by ', actor(event.by, event.by_name)),
  );
}

/** Hashes and the result of the ledger check. */
export function integrity(letter) {
  const [color, label] = LEDGER[letter.ledger?.status] ?? LEDGER.unknown;
  return descriptions([
    [
      'Ledger',
      el(
        `span.pf-c-label.${color}`,
        { 'data-ledger': letter.ledger?.status ?? 'unknown' },
        el('span.pf-c-label__content', {}, label),
      ),
    ],
    ['Ledger sequence', letter.ledger?.seq === undefined ? null : count(letter.ledger.seq)],
    ['Payload hash', code(letter.payload_hash)],
    ['Hash chain', code(letter.hash_chain)],
  ]);
}

const redriven = (times) =>
  times > 0 ? `${count(times)} ${times === 1 ? 'time' : 'times'}` : 'Never';

const code = (text) => (text === undefined || text === null ? null : el('code', {}, visible(text)));

/** A list of names and values, without empty ones. */
export function descriptions(pairs) {
  return el(
    'dl.facts',
    {},
    pairs
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
  );
}
