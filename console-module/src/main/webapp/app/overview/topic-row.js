/** One topic in the table of all: its cells are made once and then only told what changed. */
import { el } from '../dom.js';
import { count, duration } from '../format.js';
import { href } from '../router.js';
import { Past, draw, sparkline } from './sparkline.js';

/** The columns, in order; `number` of those that can be sorted by it. */
export const COLUMNS = [
  { key: 'name', label: 'Topic' },
  { key: 'dlq', label: 'Dead letters', number: (topic) => topic.dlq },
  { key: 'depth', label: 'Waiting', number: (topic) => topic.depth },
  { key: 'inflight', label: 'In flight', number: (topic) => topic.inflight },
  { key: 'saturation', label: 'Saturation', number: (topic) => topic.saturation },
  { key: 'age', label: 'Oldest ready', number: (topic) => topic.oldest_ready_age_ms },
];

/** A topic's row. */
export class TopicRow {
  #cells = {};
  #past = { depth: new Past(), dlq: new Past() };
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

  /** Shows the topic as it is now. */
  tell(topic) {
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
      this.#past[key].add(topic[key]);
      draw(this.#lines[key], this.#past[key]);
    }
  }

  #put(key, words) {
    const cell = this.#cells[key];
    if (cell.textContent !== words) {
      cell.textContent = words;
    }
  }
}

function saturation(topic) {
  const percent = Math.round(topic.saturation * 100);
  return percent >= 80 ? `${percent} % (high)` : `${percent} %`;
}
