// Makes the golden vectors of payload_hash, hash_chain and ledger link with @noble/hashes,
// an implementation that shares nothing with the product's.
//   npm ci && npm run vectors      (writes hash_vectors.json; the output is deterministic)
import { blake3 } from '@noble/hashes/blake3.js';

const utf8 = (s) => Buffer.from(s, 'utf8');

const uint32 = (n) => {
  const b = Buffer.alloc(4);
  b.writeUInt32BE(n);
  return b;
};

const field = (s) => Buffer.concat([uint32(utf8(s).length), utf8(s)]);

const b3 = (bytes) => 'b3:' + Buffer.from(blake3(bytes)).toString('hex');

/** The 32 bytes behind a 'b3:...' text. */
const raw = (text) => Buffer.from(text.slice(3), 'hex');

/** Sorted by the UTF-8 bytes of the key; JavaScript's own order is that of UTF-16 units. */
const sorted = (attrs) => Object.entries(attrs).sort(([a], [b]) => Buffer.compare(utf8(a), utf8(b)));

function hashChain({ topic, ts, idem_key, payload_hash, attrs }) {
  const entries = sorted(attrs);
  return b3(
    Buffer.concat([
      Buffer.from('mailbox.hash_chain.v1', 'ascii'),
      Buffer.from([0]),
      field(topic),
      field(ts),
      field(idem_key),
      field(payload_hash),
      uint32(entries.length),
      ...entries.flatMap(([k, v]) => [field(k), field(v)]),
    ]),
  );
}

function link(previous, hash_chain, msg_id) {
  return b3(
    Buffer.concat([
      Buffer.from('mailbox.ledger.v1', 'ascii'),
      Buffer.from([0]),
      previous,
      raw(hash_chain),
      field(msg_id),
    ]),
  );
}

const MOD_251 = 'byte i = i mod 251';

function payloadBytes(payload) {
  if ('base64' in payload) return Buffer.from(payload.base64, 'base64');
  if (payload.rule !== MOD_251) throw new Error(`unknown rule ${payload.rule}`);
  return Buffer.from(Array.from({ length: payload.length }, (_, i) => i % 251));
}

const rule = (length) => ({ rule: MOD_251, length });
const text = (s) => ({ base64: utf8(s).toString('base64') });

/** n attributes, given in falling order so that a missing sort shows. */
const many = (n) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`key-${n - 1 - i}`, `value ${i}`]));

const inputs = [
  { name: 'empty payload, no attributes', payload: { base64: '' }, topic: 'orders',
    ts: '2026-01-02T03:04:05Z', idem_key: 'k', attrs: {} },
  { name: 'one zero byte', payload: { base64: 'AA==' }, topic: 'orders',
    ts: '2026-01-02T03:04:05.000Z', idem_key: 'k', attrs: {} },
  { name: 'text payload, one attribute', payload: text('hello, mailbox'), topic: 'a',
    ts: '2026-01-02T03:04:05.678Z', idem_key: 'order-4711', attrs: { kind: 'greeting' } },
  { name: 'one full BLAKE3 block', payload: rule(64), topic: 'orders.eu',
    ts: '2026-01-02T03:04:05.678901Z', idem_key: 'block-64', attrs: { a: '1', b: '2' } },
  { name: 'one byte over a block', payload: rule(65), topic: 'orders.eu',
    ts: '2026-01-02T03:04:05.678901234Z', idem_key: 'block-65', attrs: { b: '2', a: '1' } },
  { name: '1 KiB, exactly one chunk', payload: rule(1024), topic: 'Orders_eu-1.north',
    ts: '2026-02-28T23:59:59.999Z', idem_key: '018f6d2e-7c1a-7b6e-9a51-3f0c2f4f7a11',
    attrs: { 'content-type': 'application/octet-stream' } },
  { name: 'one byte over a chunk', payload: rule(1025), topic: 'orders',
    ts: '2026-02-28T23:59:59.999Z', idem_key: 'chunk-1025', attrs: {} },
  { name: 'an odd number of chunks', payload: rule(3 * 1024 + 1), topic: 'orders',
    ts: '2026-02-28T23:59:59.999Z', idem_key: 'chunk-3073', attrs: {} },
  { name: '64 KiB', payload: rule(65536), topic: 'orders',
    ts: '2026-03-01T00:00:00Z', idem_key: 'k64', attrs: { size: '65536' } },
  { name: '1 MiB', payload: rule(1048576), topic: 'orders',
    ts: '2026-03-01T00:00:00Z', idem_key: 'k1m', attrs: { size: '1048576' } },
  { name: 'UTF-8 order differs from UTF-16 order: U+FF5E sorts before U+1F600',
    payload: text('x'), topic: 'orders', ts: '2026-03-01T00:00:00Z', idem_key: 'Schl\u00FCssel-\u{1F511}',
    attrs: { '\u{1F600}': 'grinning face', '\uFF5E': 'fullwidth tilde', '\uE000': 'private use',
      z: 'ascii', '\u00E9': 'e acute', '\u20AC': 'euro' } },
  { name: 'same keys as lengths differ: a, aa, b; capitals first; digits as text',
    payload: text('x'), topic: 'orders', ts: '2026-03-01T00:00:00Z', idem_key: 'prefix-order',
    attrs: { b: '1', aa: '2', a: '3', B: '4', A: '5', 'a-': '6', k10: '7', k9: '8' } },
  { name: 'composed and decomposed letters are different keys: nothing is normalised',
    payload: text('\u00E9'), topic: 'orders', ts: '2026-03-01T00:00:00Z', idem_key: 'nf\u0065\u0301',
    attrs: { '\u00E9': 'composed', 'e\u0301': 'decomposed' } },
  { name: 'empty attribute value', payload: text('x'), topic: 'orders',
    ts: '2026-03-01T00:00:00Z', idem_key: 'empty-value', attrs: { note: '', other: 'set' } },
  { name: 'control characters, quotes and a zero character in a value', payload: text('x'),
    topic: 'orders', ts: '2026-03-01T00:00:00Z', idem_key: 'a"b\\c/d',
    attrs: { raw: 'line\nbreak\ttab "quoted" \\ \u0000 end', emoji: '\u{1F469}\u200D\u{1F680}' } },
  { name: '32 attributes', payload: text('many'), topic: 'orders',
    ts: '2026-03-01T00:00:00Z', idem_key: 'attrs-32', attrs: many(32) },
  { name: 'longest topic and idem_key', payload: text('long'), topic: 't'.repeat(255),
    ts: '2026-03-01T00:00:00Z', idem_key: 'k'.repeat(255), attrs: { v: 'x'.repeat(1000) } },
  { name: 'a letter moved from value to key, first half', payload: text('x'), topic: 'orders',
    ts: '2026-03-01T00:00:00Z', idem_key: 'border', attrs: { a: 'bc' } },
  { name: 'a letter moved from value to key, second half', payload: text('x'), topic: 'orders',
    ts: '2026-03-01T00:00:00Z', idem_key: 'border', attrs: { ab: 'c' } },
];

const cases = inputs.map((c) => {
  const payload_hash = b3(payloadBytes(c.payload));
  return { ...c, payload_hash, hash_chain: hashChain({ ...c, payload_hash }) };
});

const ids = [
  '01KE0000000000000000000000',
  '01KE00000000000000000000ZZ',
  '01KE1V8Q2N5C7D9F3G6H4JMKPR',
  '01KE1V8Q2N5C7D9F3G6H4JMKPS',
  '7ZZZZZZZZZZZZZZZZZZZZZZZZZ',
];

if (ids.some((id) => !/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id))) throw new Error('not a ULID');

let previous = Buffer.alloc(32);
const ledger = ids.map((msg_id, i) => {
  const { hash_chain } = cases[i];
  const entry = { seq: i + 1, msg_id, hash_chain, link: link(previous, hash_chain, msg_id) };
  previous = raw(entry.link);
  return entry;
});

const distinct = new Set([...cases.map((c) => c.hash_chain), ...ledger.map((e) => e.link)]);
if (distinct.size !== cases.length + ledger.length) throw new Error('two vectors coincide');

process.stdout.write(JSON.stringify({ cases, ledger }, null, 2) + '\n');
