/** Sparklines of recent values. Decorative: the current value is shown beside them as text. */
import { svg } from '../dom.js';

const POINTS = 60;
const WIDTH = 90;
const HEIGHT = 20;

/** The line of a bounded series, newest at the right. It appears with the first change. */
export class Sparkline {
  #place;
  #values = [];
  #line = null;

  /** @param place the element at whose end the line appears */
  constructor(place) {
    this.#place = place;
  }

  add(value) {
    this.#values.push(value);
    if (this.#values.length > POINTS) {
      this.#values.shift();
    }
    if (this.#line === null && this.#values[0] !== value) {
      this.#line = svg('polyline', { fill: 'none' });
      this.#place.append(drawing(this.#line));
    }
    this.#line?.setAttribute('points', points(this.#values));
  }
}

const drawing = (line) =>
  svg(
    'svg.sparkline',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      'aria-hidden': 'true',
      focusable: 'false',
    },
    line,
  );

/** Scaled from zero to the maximum. */
function points(values) {
  const max = Math.max(1, ...values);
  const step = WIDTH / (POINTS - 1);
  const from = WIDTH - (values.length - 1) * step;
  return values
    .map(
      (value, i) =>
        `${(from + i * step).toFixed(1)},${(HEIGHT - 1 - (value / max) * (HEIGHT - 2)).toFixed(1)}`,
    )
    .join(' ');
}
