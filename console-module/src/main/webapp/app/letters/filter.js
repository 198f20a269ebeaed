/** Filters of dead letters, converted between the console's URL, API queries and jobs. */

/** Fields with a list of values. */
export const MULTIPLE = ['attr', 'fingerprint'];

/** Fields with a single value. */
export const SINGLE = [
  'reason',
  'since',
  'until',
  'attempt',
  'idem_key',
  'corr_id',
  'q',
  'job',
];

export const REASONS = {
  max_attempts: 'Attempts exhausted',
  rejected: 'Rejected by consumer',
  integrity: 'Integrity check failed',
  unreadable: 'Unreadable',
  expired: 'Expired before delivery',
  max_delivery: 'Broker delivery limit',
};

const LABELS = {
  reason: 'reason',
  since: 'dead-lettered after',
  until: 'dead-lettered before',
  attempt: 'attempts',
  idem_key: 'idempotency key',
  corr_id: 'correlation id',
  q: 'error text',
  job: 'redriven by job',
};

/** Parses the URL's query; ignores unknown parameters. */
export function fromQuery(query) {
  const filter = Object.fromEntries(MULTIPLE.map((name) => [name, query.getAll(name)]));
  for (const name of SINGLE) {
    if (query.get(name)) {
      filter[name] = query.get(name);
    }
  }
  return filter;
}

/** Formats a filter for the URL and API queries. */
export function toParams(filter) {
  const params = new URLSearchParams();
  SINGLE.filter((name) => filter[name]).forEach((name) => params.set(name, filter[name]));
  for (const name of MULTIPLE) {
    (filter[name] ?? []).forEach((value) => params.append(name, value));
  }
  return params;
}

/** Converts a filter to the form that jobs take. */
export function toJob(filter) {
  const { attr = [], fingerprint = [], ...job } = filter;
  if (job.attempt !== undefined) {
    job.attempt = Number(job.attempt);
  }
  if (fingerprint.length > 0) {
    job.fingerprints = fingerprint;
  }
  if (attr.length > 0) {
    job.attrs = Object.fromEntries(attr.map(pair));
  }
  return job;
}

/** Splits `colour=red=ish` into `['colour', 'red=ish']`. */
function pair(attr) {
  const at = attr.indexOf('=');
  return at < 0 ? [attr, ''] : [attr.slice(0, at), attr.slice(at + 1)];
}

/** Describes a filter of the console or of a job. */
export function describe(filter) {
  const attrs =
    filter.attr ?? Object.entries(filter.attrs ?? {}).map(([key, value]) => `${key}=${value}`);
  const criteria = SINGLE.filter((name) => filter[name]).map(
    (name) => `${LABELS[name]} ${filter[name]}`,
  );
  const groups = filter.fingerprint ?? filter.fingerprints ?? [];
  return (
    [
      ...criteria,
      ...(groups.length > 0 ? [`error group ${groups.join(' or ')}`] : []),
      ...attrs.map((attr) => `attribute ${attr}`),
    ].join(', ') || 'all dead letters'
  );
}

/** Whether the filter has no criteria. */
export const isEmpty = (filter) => toParams(filter).toString() === '';
