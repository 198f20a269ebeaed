/** Formatting of numbers, times and sizes. All times are UTC. */
import { el } from './dom.js';

const COUNT = new Intl.NumberFormat('en');

/** Formats 1234567 as `1,234,567`. */
export const count = (number) => COUNT.format(number ?? 0);

/** Formats `1 dead letter`, `1,234 dead letters`. */
export const deadLetters = (number, kind = '') =>
  `${count(number)} ${kind}${number === 1 ? 'dead letter' : 'dead letters'}`;

/** Reports messages the broker gave up on that are not dead letters yet; empty for none. */
export function undeliverable(messages) {
  if (!messages) {
    return '';
  }
  return messages === 1
    ? '1 undeliverable message is waiting to be dead-lettered.'
    : `${count(messages)} undeliverable messages are waiting to be dead-lettered.`;
}

/** Reports what is not in the counts of a cluster; empty if they are whole, or of a server alone. */
export function incomplete(counted) {
  const { silent = [], missing_groups: missing = 0 } = counted ?? {};
  const reasons = [
    silent.length > 0 && `no counts from ${silent.join(', ')}`,
    missing > 0 && `${count(missing)} ${missing === 1 ? 'group' : 'groups'} not counted`,
  ].filter(Boolean);
  return reasons.length === 0 ? '' : `The counts are incomplete: ${reasons.join('; ')}.`;
}

/** Formats bytes with a binary unit. */
export function size(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** Formats a duration in its largest units. */
export function duration(millis, units = 2) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const parts = [
    [Math.floor(seconds / 86400), 'd'],
    [Math.floor(seconds / 3600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  return first < 0
    ? '0 s'
    : parts
        .slice(first, first + units)
        .filter(([value]) => value > 0)
        .map(([value, unit]) => `${value} ${unit}`)
        .join(' ');
}

/** Formats an ISO timestamp to the second. */
function timestamp(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? String(text)
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Formats a moment of today as `02:14 UTC`, an earlier one with its date. */
export function clock(moment, now = Date.now()) {
  const [day, hour] = new Date(moment).toISOString().slice(0, 16).split('T');
  const isToday = new Date(now).toISOString().startsWith(day);
  return isToday ? `${hour} UTC` : `${day} ${hour} UTC`;
}

/** Formats the distance of a timestamp from now. */
export function ago(text, now = Date.now()) {
  const millis = now - new Date(text).getTime();
  return millis >= 0 ? `${duration(millis, 1)} ago` : `in ${duration(-millis, 1)}`;
}

/** A timestamp with its distance from now. */
export function time(text) {
  return el('time', { datetime: text, title: text }, `${timestamp(text)} (${ago(text)})`);
}

/** The same on two lines, for columns whose header names the zone. */
export function shortTime(text) {
  return el(
    'time',
    { datetime: text, title: text },
    el('span.time-stamp', {}, timestamp(text).replace(' UTC', '')),
    ' ',
    el('span.time-ago', {}, ago(text)),
  );
}

/**
 * Shows an actor: the name, with the id behind it, or the id alone.
 *
 * @param id such as `key_id:nonce`
 * @param name of the actor, if there is one
 */
export function actor(id, name) {
  return !name || name === id
    ? el('code.actor-id', {}, visible(id))
    : [el('span.actor-name', {}, visible(name)), ' ', el('code.actor-id', {}, visible(id))];
}

// Control, bidirectional-override and zero-width characters.
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Shows invisible characters of untrusted text as code points. */
export function visible(text) {
  return String(text ?? '').replace(
    INVISIBLE,
    (character) =>
      `\u2039U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}\u203a`,
  );
}
