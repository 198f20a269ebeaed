/** Charts of a window of the history, of the service or of one topic. */
import { get, path } from '../api.js';
import { el, fill, freshId } from '../dom.js';
import { count, duration } from '../format.js';
import { panel } from '../problem.js';
import { href } from '../router.js';
import { chart } from './chart.js';
import { niceDuration } from './scale.js';

export const WINDOWS = ['1h', '6h', '24h', '7d'];
const LABELS = { '1h': '1 hour', '6h': '6 hours', '24h': '24 hours', '7d': '7 days' };
/** A point comes each minute. */
const POLL_MS = 60_000;

const rounded = (value) => count(value >= 10 ? Math.round(value) : Number(value.toPrecision(2)));
const rate = (key, label) => ({ key, label, unit: '/s', text: rounded, isRate: true });
const amount = (key, label, more = {}) => ({ key, label, unit: '', text: rounded, ...more });
const OLDEST = {
  key: 'oldest_ms',
  label: 'Oldest ready',
  unit: '',
  text: (millis) => duration(millis, 1),
  round: niceDuration,
};

const SENT = rate('sent', 'Sent');
const DELIVERED = rate('delivered', 'Delivered');
const ACKED = rate('acked', 'Acknowledged');

const SERVICE = [
  { title: 'Rates', lines: [SENT, DELIVERED, ACKED, rate('refused', 'Refused')] },
  {
    title: 'Backlog',
    lines: [
      amount('ready', 'Ready'),
      amount('scheduled', 'Scheduled'),
      amount('inflight', 'In flight'),
    ],
  },
  {
    title: 'Oldest ready message and dead letters',
    lines: [OLDEST, amount('letters', 'Dead letters', { right: true })],
  },
];

const TOPIC = [
  { title: 'Rates', lines: [SENT, DELIVERED, ACKED] },
  {
    title: 'Failures',
    lines: [rate('redelivered', 'Delivered again'), rate('dead', 'Dead-lettered')],
  },
  { title: 'Backlog', lines: [amount('ready', 'Ready'), amount('scheduled', 'Scheduled')] },
  { title: 'In flight', lines: [amount('inflight', 'In flight')] },
  { title: 'Oldest ready message', lines: [OLDEST] },
  { title: 'Dead letters', lines: [amount('letters', 'Dead letters')] },
];

/**
 * Starts drawing.
 *
 * @param page the parts of the page's URL, to which links to windows lead
 * @param topic a name; undefined for the service, of which a phone shows one chart at a time
 * @returns `show(window)` chooses a window; `close` ends it
 */
export function historyCharts(page, topic = undefined) {
  const panels = topic === undefined ? SERVICE : TOPIC;
  const charts = panels.map(chart);
  const failure = el('div');
  const links = WINDOWS.map((one) =>
    el('a', { href: href(page, new URLSearchParams({ window: one })) }, LABELS[one]),
  );
  const id = freshId('chart-select');
  const select = el(
    'select.pf-c-form-control',
    { id, onchange: choose },
    panels.map(({ title }, i) => el('option', { value: i }, title)),
  );
  const element = el(
    `section.charts${topic === undefined ? '.charts-one' : ''}`,
    { 'aria-label': 'History' },
    el(
      'div.charts-head',
      {},
      el('nav.chart-windows', { 'aria-label': 'Window of the charts' }, links),
      topic === undefined && el('div.charts-select', {}, el('label', { for: id }, 'Chart'), select),
    ),
    failure,
    el(
      'div.charts-grid',
      {},
      charts.map((one) => one.element),
    ),
  );
  const ended = new AbortController();
  let window = WINDOWS[0];
  let timer = 0;
  choose();

  function choose() {
    charts.forEach((one, i) =>
      one.element.classList.toggle('is-chosen', String(i) === select.value),
    );
  }

  function show(next) {
    window = WINDOWS.includes(next) ? next : WINDOWS[0];
    links.forEach((link, i) => {
      if (WINDOWS[i] === window) {
        link.setAttribute('aria-current', 'true');
      } else {
        link.removeAttribute('aria-current');
      }
    });
    look();
  }

  async function look() {
    clearTimeout(timer);
    if (!document.hidden) {
      const asked = window;
      try {
        const answer = await get(path('history'), question(), ended.signal);
        if (asked === window) {
          fill(failure);
          update(answer);
        }
      } catch (error) {
        if (!ended.signal.aborted && asked === window) {
          fill(failure, panel(error, look));
        }
      }
    }
    if (!ended.signal.aborted) {
      clearTimeout(timer);
      timer = setTimeout(look, POLL_MS);
    }
  }

  function question() {
    const params = new URLSearchParams({ window });
    if (topic !== undefined) {
      params.set('topic', topic);
    }
    panels.flatMap(({ lines }) => lines).forEach(({ key }) => params.append('series', key));
    return params;
  }

  function update({ from, step_seconds: step, starts, histories: [{ points }] }) {
    const base = { from: Date.parse(from), step: step * 1000, starts: starts.map(Date.parse) };
    charts.forEach((one, i) =>
      one.update({
        ...base,
        points: Object.fromEntries(
          panels[i].lines.map(({ key, isRate }) => [
            key,
            points[key].map((value) => (isRate && value !== null ? value / step : value)),
          ]),
        ),
      }),
    );
  }

  document.addEventListener('visibilitychange', look, { signal: ended.signal });
  return {
    element,
    show,
    close() {
      ended.abort();
      clearTimeout(timer);
    },
  };
}
