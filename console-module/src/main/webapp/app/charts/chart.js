/** Line charts with axes, gaps, marks of starts, a reading cursor, and the same data as a table. */
import { el, fill, freshId, svg } from '../dom.js';
import { nice, ticks } from './scale.js';
import { chartTable } from './table.js';

const HEIGHT = 180;
const TOP = 8;
const BOTTOM = HEIGHT - 22;
const SIDE = 52;
const DASHES = [null, '7 4', '2 3', '10 3 2 3'];
/** How far a key moves the cursor. */
const MOVES = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  PageDown: -10,
  PageUp: 10,
  Home: -Infinity,
  End: Infinity,
};

const instant = (millis) => new Date(millis).toISOString().slice(0, 16).replace('T', ' ');

/**
 * Creates an empty chart.
 *
 * @param title names the chart
 * @param lines `{ key, label, unit, text(value), round(value), right }`: `round` answers the end of
 *     the axis if it is not decimal; `right` puts a line on the right axis
 */
export function chart({ title, lines }) {
  const id = freshId('chart');
  const drawing = svg('svg', { 'aria-hidden': 'true', focusable: 'false', height: HEIGHT });
  const cursor = svg('line.chart-cursor', { y1: TOP, y2: BOTTOM });
  const values = lines.map(() => el('span.chart-value'));
  const moment = el('p.chart-moment');
  const table = chartTable(title, lines);
  const plot = el(
    'div.chart-plot',
    {
      tabindex: 0,
      role: 'slider',
      'aria-labelledby': id,
      'aria-valuemin': 0,
      'aria-valuemax': 0,
      'aria-valuenow': 0,
      'aria-valuetext': 'No data',
      onkeydown: move,
      onpointermove: point,
      onpointerdown: point,
    },
    drawing,
  );
  const units = [...new Set(lines.map(({ unit }) => unit))].join(' ');
  const element = el(
    'figure.pf-c-card.chart',
    {},
    el('figcaption.chart-title', { id }, title, ' ', el('span.chart-unit', {}, units)),
    plot,
    moment,
    el(
      'ul.chart-legend',
      {},
      lines.map(({ label }, i) => el('li', {}, sample(i), ` ${label} `, values[i])),
    ),
    table.element,
  );
  let data = null;
  let place = 0;
  let width = 0;
  new ResizeObserver(() => plot.clientWidth !== width && draw()).observe(plot);

  /** Shows `{ from, step, starts, points }`: milliseconds, and each line's values; null is a gap. */
  function update(next) {
    const isAtEnd = data === null || place === data.count - 1;
    data = { ...next, count: next.points[lines[0].key].length };
    place = isAtEnd ? data.count - 1 : place;
    plot.setAttribute('aria-valuemax', data.count - 1);
    draw();
    table.update(data.count, timeOf, text);
  }

  function draw() {
    width = plot.clientWidth;
    if (data !== null && width > 0) {
      drawing.setAttribute('width', width);
      const parts = [gaps(), axis(false), axis(true), times(), starts(), lines.map(path)];
      fill(drawing, parts, cursor);
      read(place);
    }
  }

  const inner = () => width - 2 * SIDE;
  const x = (i) => SIDE + (i / Math.max(1, data.count - 1)) * inner();
  const xAt = (millis) => x((millis - data.from) / data.step);
  const y = (value, top) => BOTTOM - (value / top) * (BOTTOM - TOP);
  const on = (isRight) => lines.filter(({ right }) => Boolean(right) === isRight);
  const topOf = (isRight) => {
    const [{ round = nice }] = on(isRight);
    return round(Math.max(...on(isRight).flatMap(({ key }) => data.points[key])));
  };
  const isGap = (i) => lines.every(({ key }) => data.points[key][i] === null);

  function axis(isRight) {
    const [first] = on(isRight);
    if (first === undefined) {
      return null;
    }
    const top = topOf(isRight);
    const side = isRight
      ? { x: width - SIDE + 6, 'text-anchor': 'start' }
      : { x: SIDE - 6, 'text-anchor': 'end' };
    return [0, top / 2, top].map((value) => [
      svg('line.chart-grid', { x1: SIDE, x2: width - SIDE, y1: y(value, top), y2: y(value, top) }),
      svg('text.chart-tick', { ...side, y: y(value, top) + 4 }, first.text(value)),
    ]);
  }

  function times() {
    const { at, isOfDays } = ticks(data.from, data.from + (data.count - 1) * data.step, inner());
    return at.map((time) =>
      svg(
        'text.chart-tick',
        { x: xAt(time), y: HEIGHT - 6, 'text-anchor': 'middle' },
        isOfDays ? instant(time).slice(5, 10) : instant(time).slice(11),
      ),
    );
  }

  /** Adjacent gaps touch. */
  function gaps() {
    const half = inner() / Math.max(1, data.count - 1) / 2;
    return data.points[lines[0].key].map((_, i) => {
      const left = Math.max(SIDE, x(i) - half);
      const right = Math.min(width - SIDE, x(i) + half);
      const box = { x: left, width: right - left, y: TOP, height: BOTTOM - TOP };
      return isGap(i) && svg('rect.chart-gap', box);
    });
  }

  function starts() {
    return data.starts.map((start) => {
      const at = Math.min(width - SIDE, xAt(start));
      return svg(
        'g.chart-start',
        {},
        svg('line', { x1: at, x2: at, y1: TOP, y2: BOTTOM }),
        svg('path', { d: `M${at - 5} ${TOP}h10l-5 8z` }),
      );
    });
  }

  /** A value between two gaps is a dot, which the round ends of the line draw. */
  function path({ key, right }, i) {
    const top = topOf(Boolean(right));
    const steps = data.points[key].map((value, j, all) => {
      const to = `${x(j).toFixed(1)} ${y(value, top).toFixed(1)}`;
      const isFirst = j === 0 || all[j - 1] === null;
      return value === null ? '' : isFirst ? `M${to}h.01` : `L${to}`;
    });
    return svg(`path.chart-line.chart-line-${i}`, {
      d: steps.join(''),
      'stroke-dasharray': DASHES[i],
    });
  }

  function point({ clientX }) {
    if (data !== null) {
      const left = clientX - plot.getBoundingClientRect().left - SIDE;
      read(Math.round((left / inner()) * (data.count - 1)));
    }
  }

  function move(event) {
    const by = MOVES[event.key];
    if (data !== null && by !== undefined) {
      event.preventDefault();
      read(place + by);
    }
  }

  /** Moves the cursor to a point, and tells its values. */
  function read(to) {
    place = Math.max(0, Math.min(data.count - 1, to));
    cursor.setAttribute('x1', x(place));
    cursor.setAttribute('x2', x(place));
    const told = lines.map((line) => text(line, place));
    told.forEach((value, i) => (values[i].textContent = value));
    moment.textContent = `${timeOf(place)}${isGap(place) ? ': no data' : ''}`;
    plot.setAttribute('aria-valuenow', place);
    plot.setAttribute(
      'aria-valuetext',
      [moment.textContent, ...lines.map(({ label }, i) => `${label} ${told[i]}`)].join(', '),
    );
  }

  function timeOf(i) {
    const begin = data.from + i * data.step;
    const isStart = data.starts.some((start) => start >= begin && start < begin + data.step);
    return `${instant(begin)} UTC${isStart ? ', the service started' : ''}`;
  }

  function text({ key, unit, text: format }, i) {
    const value = data.points[key][i];
    return value === null ? '\u2013' : `${format(value)} ${unit}`.trim();
  }

  return { element, update };
}

function sample(i) {
  const size = { width: 28, height: 8, 'aria-hidden': 'true', focusable: 'false' };
  const ends = { x1: 1, x2: 27, y1: 4, y2: 4, 'stroke-dasharray': DASHES[i] };
  return svg('svg', size, svg(`line.chart-line.chart-line-${i}`, ends));
}
