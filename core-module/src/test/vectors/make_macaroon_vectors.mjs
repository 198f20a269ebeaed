// Makes tokens with the npm package macaroon, an implementation that shares nothing with the product's.
//   npm ci && npm run macaroons      (writes macaroon_vectors.json; the output is deterministic)
import macaroon from 'macaroon';

const cases = [
  { name: 'no caveat', location: 'mailbox', identifier: 'mb1:k1:00112233445566778899aabbccddeeff', caveats: [] },
  { name: 'no location', location: '', identifier: 'id', caveats: ['topic = orders'] },
  {
    name: 'the caveats of the mailbox',
    location: 'mailbox',
    identifier: 'mb1:k2:ffeeddccbbaa99887766554433221100',
    caveats: [
      'topic = orders.*',
      'ops = send,recv,ack,nack,extend,peek,dlq,admin',
      'expires < 2026-12-01T00:00:00Z',
      'not_before > 2026-11-01T00:00:00Z',
      'rate = 100/s',
      'max_inflight = 50',
      'ip = 10.0.0.0/8',
    ],
  },
  { name: 'text beyond ASCII', location: 'почта', identifier: '鍵-🔑', caveats: ['тема = заказы', '🔑'] },
  { name: 'a long caveat', location: 'mailbox', identifier: 'id', caveats: ['x'.repeat(127), 'y'.repeat(128), 'z'.repeat(1000)] },
  { name: 'the most caveats', location: 'mailbox', identifier: 'id', caveats: Array.from({ length: 64 }, (_, i) => 'c' + i) },
];

const keys = ['this is our super secret key; only we should know it', 'k', 'ключ'];

/** Null where the package cannot: its buffer grows the wrong way beyond some hundred bytes. */
function token(made) {
  try {
    return Buffer.from(made.exportBinary()).toString('base64url');
  } catch (e) {
    return null;
  }
}

const vectors = cases.flatMap((one) =>
  keys.map((key) => {
    const made = macaroon.newMacaroon({
      version: 2,
      rootKey: new TextEncoder().encode(key),
      identifier: one.identifier,
      location: one.location,
    });
    one.caveats.forEach((caveat) => made.addFirstPartyCaveat(caveat));
    return { ...one, key, signature: Buffer.from(made.signature).toString('hex'), token: token(made) };
  }),
);

console.log(JSON.stringify({ source: 'npm macaroon 3.0.4', vectors }, null, 1));
