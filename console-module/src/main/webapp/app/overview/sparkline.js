/** A small line of what a number was lately. For the eye only: the number itself stands beside it. */
import { svg } from '../dom.js';

const POINTS = 60;
const WIDTH = 90;
const HEIGHT = 20;

/** What a number was, newest last, at most a minute or two of it. */
export class Past {
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

/** An empty one; `draw` fills it. */
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

/** Draws the past: the newest at the right, the most at the top, nothing at the bottom. */
export function draw(line, past) {
  const most = Math.max(1, ...past.values);
  const step = WIDTH / (POINTS - 1);
  const from = WIDTH - (past.values.length - 1) * step;
  const points = past.values.map(
    (value, i) =>
      `${(from + i * step).toFixed(1)},${(HEIGHT - 1 - (value / most) * (HEIGHT - 2)).toFixed(1)}`,
  );
  line.firstChild.setAttribute('points', points.join(' '));
}
