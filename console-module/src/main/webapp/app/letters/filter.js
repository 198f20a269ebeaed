/**
 * Which dead letters: the same fields in the console's URL, in the API's queries and, a little
 * differently, in jobs.
 */

/** Fields there is one of. */
export const SINGLE = [
  'reason',
  'fingerprint',
  'since',
  'until',
  'attempt',
  'idem_key',
  'corr_id',
  'q',
];

export const REASONS = {
  max_attempts: 'Refused too often',
  rejected: 'Rejected by its consumer',
  integrity: 'Not what its sender gave',
  unreadable: 'Not readable',
  expired: 'Nobody took it in time',
  max_delivery: 'The broker gave up',
};

const WORDS = {
  reason: 'reason',
  fingerprint: 'group',
  since: 'died since',
  until: 'died before',
  attempt: 'deliveries',
  idem_key: 'idempotency key',
  corr_id: 'correlation id',
  q: 'error has',
};

/** From the URL: what it does not know, it leaves out. */
export function fromQuery(query) {
  const filter = { attr: query.getAll('attr') };
  for (const name of SINGLE) {
    if (query.get(name)) {
      filter[name] = query.get(name);
    }
  }
  return filter;
}

/** For the URL and for the API's queries. */
export function toParams(filter) {
  const params = new URLSearchParams();
  SINGLE.filter((name) => filter[name]).forEach((name) => params.set(name, filter[name]));
  (filter.attr ?? []).forEach((attr) => params.append('attr', attr));
  return params;
}

/** For a job. */
export function toJob(filter) {
  const { attr = [], ...job } = filter;
  if (job.attempt !== undefined) {
    job.attempt = Number(job.attempt);
  }
  if (attr.length > 0) {
    job.attrs = Object.fromEntries(attr.map(pair));
  }
  return job;
}

/** `colour=red=ish` as `['colour', 'red=ish']`. */
function pair(attr) {
  const at = attr.indexOf('=');
  return at < 0 ? [attr, ''] : [attr.slice(0, at), attr.slice(at + 1)];
}

/** A job's filter, or one of ours, in words. */
export function inWords(filter) {
  const attrs =
    filter.attr ?? Object.entries(filter.attrs ?? {}).map(([key, value]) => `${key}=${value}`);
  const words = SINGLE.filter((name) => filter[name]).map(
    (name) => `${WORDS[name]} ${filter[name]}`,
  );
  return [...words, ...attrs.map((attr) => `attribute ${attr}`)].join(', ') || 'every letter';
}

/** Whether it lets every letter through. */
export const isEverything = (filter) => toParams(filter).toString() === '';
