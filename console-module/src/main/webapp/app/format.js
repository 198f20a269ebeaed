/** How numbers, times and sizes are written. Times are UTC everywhere: one zone, no doubt. */
import { el } from './dom.js';

const COUNT = new Intl.NumberFormat('en');

/** 1234567 as 1,234,567. */
export const count = (number) => COUNT.format(number ?? 0);

/** "1 letter", "1,234 letters". */
export const letters = (number) => `${count(number)} ${number === 1 ? 'letter' : 'letters'}`;

/** Messages of all topics that are about to become dead letters; nothing when there are none. */
export function notYetLetters(messages) {
  if (!messages) {
    return '';
  }
  return messages === 1
    ? '1 message is about to become a dead letter: the broker gave up on it.'
    : `${count(messages)} messages are about to become dead letters: the broker gave up on them.`;
}

/** Bytes as people say them. */
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

/** A duration in its largest units. */
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

/** A moment, to the second. */
export function moment(text) {
  const date = new Date(text);
  return Number.isNaN(date.getTime())
    ? String(text)
    : `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** How long ago a moment was, or how far ahead. */
export function ago(text, now = Date.now()) {
  const millis = now - new Date(text).getTime();
  return millis >= 0 ? `${duration(millis, 1)} ago` : `in ${duration(-millis, 1)}`;
}

/** A moment with its distance from now. */
export function time(text) {
  return el('time', { datetime: text, title: text }, `${moment(text)} (${ago(text)})`);
}

/** The same where the zone stands above it, on two lines. */
export function shortTime(text) {
  return el(
    'time',
    { datetime: text, title: text },
    el('span.time-moment', {}, moment(text).replace(' UTC', '')),
    ' ',
    el('span.time-ago', {}, ago(text)),
  );
}

// What turns text around, hides it, or has no shape.
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A text of strangers with what cannot be seen in it made visible. */
export function visible(text) {
  return String(text ?? '').replace(
    UNSEEN,
    (character) =>
      `\u2039U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}\u203a`,
  );
}
