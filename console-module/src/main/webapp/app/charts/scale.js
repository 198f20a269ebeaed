/** Round numbers and times for axes. */

const DAY = 1440;
const TICK_MINUTES = [5, 10, 15, 30, 60, 120, 180, 360, 720, DAY, 2 * DAY];
/** The least distance of two times on the axis, in pixels. */
const TICK_PX = 88;

/** The next 1, 2 or 5 times a power of ten, and at least 1. */
export function nice(value) {
  const least = Math.max(1, value);
  const power = 10 ** Math.floor(Math.log10(least));
  return power * [1, 2, 5, 10].find((step) => step * power >= least);
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAYS = 24 * HOUR;
const DURATIONS = [
  ...[2, 10, 20].map((each) => each * SECOND),
  ...[1, 2, 10, 20].map((each) => each * MINUTE),
  ...[1, 2, 6, 12].map((each) => each * HOUR),
  ...[1, 2, 6].map((each) => each * DAYS),
];

/** The next duration in milliseconds that is round, as its half is. */
export const niceDuration = (millis) =>
  DURATIONS.find((each) => each >= millis) ?? 10 * DAYS * Math.ceil(millis / (10 * DAYS));

/** The times of an axis between two moments in milliseconds, for its width in pixels. */
export function ticks(from, until, width) {
  const most = Math.max(1, Math.floor(width / TICK_PX));
  const span = (until - from) / 60_000;
  const minutes = TICK_MINUTES.find((each) => span / each <= most) ?? TICK_MINUTES.at(-1);
  const every = minutes * 60_000;
  const first = Math.ceil(from / every) * every;
  const length = Math.max(0, Math.floor((until - first) / every) + 1);
  return {
    at: Array.from({ length }, (_, i) => first + i * every),
    isOfDays: minutes >= DAY,
  };
}
