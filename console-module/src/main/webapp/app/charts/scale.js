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
