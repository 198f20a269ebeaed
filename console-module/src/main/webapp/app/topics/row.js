/** A topic's row. Its cells are created once and updated in place. */
import { el } from '../dom.js';
import { count, duration } from '../format.js';
import { href } from '../router.js';
import { Sparkline } from './sparkline.js';

/** The columns in order; `sort` is the service's name of an order. */
export const COLUMNS = [
  { key: 'name', label: 'Topic', sort: 'name' },
  { key: 'dlq', label: 'Dead letters', sort: 'letters' },
  { key: 'ready', label: 'Ready', sort: 'ready' },
  { key: 'scheduled', label: 'Scheduled' },
  { key: 'inflight', label: 'In flight', sort: 'inflight' },
  { key: 'age', label: 'Oldest ready', sort: 'oldest' },
  { key: 'saturation', label: 'Saturation', sort: 'saturation' },
  { key: 'sent', label: 'Sent /s', sort: 'sent' },
];

/** The columns with a line of their last values. */
const LINED = ['ready', 'dlq'];

/** A topic's row. */
export class TopicRow {
  #cells = {};
  #lines = {};

  constructor(name) {
    const letters = href(['topics', name, 'letters']);
    this.#cells = {
      name: el('span'),
      dlq: el('a', { href: letters, 'aria-label': '' }),
      ready: el('span'),
      scheduled: el('span'),
      inflight: el('span'),
      age: el('span'),
      saturation: el('span'),
      sent: el('span'),
    };
    this.element = el(
      'tr',
      {},
      COLUMNS.map(({ key, label }) =>
        el(
          key === 'name' ? 'th' : 'td',
          { 'data-label': label, scope: key === 'name' ? 'row' : null },
          key === 'name' &&
            el('a.topic-name', { href: href(['topics', name, 'charts']) }, name),
          key === 'name' ? this.#cells.name : this.#number(key),
        ),
      ),
    );
  }

  /** Shows the topic's current state. */
  update(topic) {
    this.#put('dlq', count(topic.dlq));
    this.#cells.dlq.setAttribute('aria-label', `${count(topic.dlq)} dead letters of ${topic.name}`);
    this.#cells.dlq.classList.toggle('is-some', topic.dlq > 0);
    this.#put('ready', count(topic.ready));
    this.#put('scheduled', count(topic.scheduled));
    this.#put('inflight', count(topic.inflight));
    this.#put('sent', rate(topic.sent_per_s));
    this.#put('saturation', saturation(topic));
    this.#cells.saturation.classList.toggle('is-high', topic.saturation >= 0.8);
    this.#put(
      'age',
      topic.oldest_ready_age_ms > 0 ? duration(topic.oldest_ready_age_ms) : '\u2013',
    );
    this.#put('name', topic.paused ? ' (paused)' : '');
    Object.entries(this.#lines).forEach(([key, line]) => line.add(topic[key]));
  }

  #number(key) {
    if (!LINED.includes(key)) {
      return this.#cells[key];
    }
    const place = el('span.topic-lined', {}, this.#cells[key]);
    this.#lines[key] = new Sparkline(place);
    return place;
  }

  #put(key, text) {
    const cell = this.#cells[key];
    if (cell.textContent !== text) {
      cell.textContent = text;
    }
  }
}

const rate = (perSecond) => count(perSecond >= 10 ? Math.round(perSecond) : perSecond);

function saturation(topic) {
  const percent = Math.round(topic.saturation * 100);
  return percent >= 80 ? `${percent} % (high)` : `${percent} %`;
}
