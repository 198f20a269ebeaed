/** The settings of a topic and how two versions of them differ. Pure. */

const number = (name, label, min, max) => ({ name, label, isNumber: true, min, max });
const period = (name, label) => ({ name, label, isNumber: false });

/** The fields in the order of the form. */
export const FIELDS = [
  number('ready_shards', 'Shards', 1, 256),
  number('shard_capacity', 'Waiting SENDs per shard', 1, 1_000_000),
  period('t_replay', 'Keys stay taken for'),
  number('max_attempts', 'Attempts before a dead letter', 1, 1_000),
  period('default_visibility', 'Visibility of a RECV without one'),
  period('backoff_base', 'Backoff begins at'),
  period('backoff_max', 'Backoff ends at'),
  period('retention_ready', 'Messages are kept for'),
  number('retention_ready_count', 'Most messages', 1, 1_000_000_000),
  number('retention_ready_bytes', 'Most bytes of messages', 1, 2 ** 50),
  period('retention_inflight', 'Longest lease'),
  number('retention_inflight_count', 'Most leases', 1, 1_000_000),
  period('retention_dlq', 'Dead letters are kept for'),
  number('retention_dlq_count', 'Most dead letters', 1, 100_000_000),
  period('alert_ready_age', 'A ready message is overdue after'),
  period('reprocess_after', 'Dead letters return after'),
  number('reprocess_times', 'They return at most (times)', 1, 100),
];

/** Reads what the form has: settings by name, without empty fields. */
export function entered(values) {
  const settings = {};
  for (const { name, isNumber } of FIELDS) {
    const text = values[name].trim();
    if (text !== '') {
      settings[name] = isNumber ? Number(text) : text;
    }
  }
  return settings;
}

/** The settings that differ, as `{name, label, before, after}`; undefined is the service's. */
export const diff = (before, after) =>
  FIELDS.filter(({ name }) => before[name] !== after[name]).map(({ name, label }) => ({
    name,
    label,
    before: before[name],
    after: after[name],
  }));

/** Applies what changed from `before` to `after` to other settings. */
export function merged(before, after, other) {
  const result = { ...other };
  for (const { name, after: value } of diff(before, after)) {
    if (value === undefined) {
      delete result[name];
    } else {
      result[name] = value;
    }
  }
  return result;
}
