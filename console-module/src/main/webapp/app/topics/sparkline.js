/** Sparklines of recent values. Decorative: the current value is shown beside them as text. */
import { svg } from '../dom.js';

const POINTS = 60;
const WIDTH = 90;
const HEIGHT = 20;

/** A bounded series of recent values, newest last. */
export class Series {
  #values = [];

  add(value) {
    this.#values.push(value);
    if (this.#values.length > POINTS) {
      this.#values.shift();
    }
  }

  get values() {
    return this.#values;
  }
}

/** Creates an empty sparkline for `draw`. */
export function sparkline() {
  return svg(
    'svg.sparkline',
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      width: WIDTH,
      height: HEIGHT,
      'aria-hidden': 'true',
      focusable: 'false',
    },
    svg('polyline', { fill: 'none' }),
  );
}

/** Draws a series: newest at the right, scaled from zero to its maximum. */
export function draw(line, series) {
  const max = Math.max(1, ...series.values);
  const step = WIDTH / (POINTS - 1);
  const from = WIDTH - (series.values.length - 1) * step;
  const points = series.values.map(
    (value, i) =>
      `${(from + i * step).toFixed(1)},${(HEIGHT - 1 - (value / max) * (HEIGHT - 2)).toFixed(1)}`,
  );
  line.firstChild.setAttribute('points', points.join(' '));
}
