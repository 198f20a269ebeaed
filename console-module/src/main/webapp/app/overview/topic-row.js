/** A topic's row in the overview. Its cells are created once and updated in place. */
import { el } from '../dom.js';
import { count, duration } from '../format.js';
import { href } from '../router.js';
import { Series, draw, sparkline } from './sparkline.js';

/** The columns in order; `number` makes a column sortable by value. */
export const COLUMNS = [
  { key: 'name', label: 'Topic' },
  { key: 'dlq', label: 'Dead letters', number: (topic) => topic.dlq },
  { key: 'depth', label: 'Queue depth', number: (topic) => topic.depth },
  { key: 'inflight', label: 'In flight', number: (topic) => topic.inflight },
  { key: 'saturation', label: 'Saturation', number: (topic) => topic.saturation },
  { key: 'age', label: 'Oldest ready', number: (topic) => topic.oldest_ready_age_ms },
];

/** A topic's row. */
export class TopicRow {
  #cells = {};
  #series = { depth: new Series(), dlq: new Series() };
  #lines = { depth: sparkline(), dlq: sparkline() };

  constructor(name) {
    const letters = href(['topics', name, 'letters']);
    this.#cells = {
      name: el('span'),
      dlq: el('a', { href: letters, 'aria-label': '' }),
      depth: el('span'),
      inflight: el('span'),
      saturation: el('span'),
      age: el('span'),
    };
    this.element = el(
      'tr',
      {},
      COLUMNS.map(({ key, label }) =>
        el(
          key === 'name' ? 'th' : 'td',
          { 'data-label': label, scope: key === 'name' ? 'row' : null },
          key === 'name' && el('a.topic-name', { href: letters }, name),
          key === 'name'
            ? this.#cells.name
            : el('span.topic-number', {}, this.#cells[key], this.#lines[key]),
        ),
      ),
    );
  }

  /** Shows the topic's current state. */
  update(topic) {
    this.topic = topic;
    this.#put('dlq', count(topic.dlq));
    this.#cells.dlq.setAttribute('aria-label', `${count(topic.dlq)} dead letters of ${topic.name}`);
    this.#cells.dlq.classList.toggle('is-some', topic.dlq > 0);
    this.#put('depth', count(topic.depth));
    this.#put('inflight', count(topic.inflight));
    this.#put('saturation', saturation(topic));
    this.#cells.saturation.classList.toggle('is-high', topic.saturation >= 0.8);
    this.#put(
      'age',
      topic.oldest_ready_age_ms > 0 ? duration(topic.oldest_ready_age_ms) : '\u2013',
    );
    this.#put('name', topic.paused ? ' (paused)' : '');
    for (const key of ['depth', 'dlq']) {
      this.#series[key].add(topic[key]);
      draw(this.#lines[key], this.#series[key]);
    }
  }

  #put(key, text) {
    const cell = this.#cells[key];
    if (cell.textContent !== text) {
      cell.textContent = text;
    }
  }
}

function saturation(topic) {
  const percent = Math.round(topic.saturation * 100);
  return percent >= 80 ? `${percent} % (high)` : `${percent} %`;
}
