/** The state of the service: version, broker, database, and the conditions that fire. */
import { get, path } from '../api.js';
import { el, fill } from '../dom.js';
import { count, deadLetters, duration, shortTime, size, visible } from '../format.js';
import { href } from '../router.js';

/** As often as the server evaluates the conditions. */
const POLL_MS = 10_000;

const percent = (fraction) => `${Math.round(fraction * 100)} %`;

/** The text of each condition; `visible` guards what clients chose. */
const TEXTS = {
  part_down: ({ subject }) => `${subject} is down`,
  disk_low: ({ value }) => `The data disk has ${size(value)} left`,
  saturated: ({ topic, subject, value }) =>
    topic === undefined
      ? `The bound ${subject} is ${percent(value)} full`
      : `${visible(topic)} is ${percent(value)} full`,
  ready_overdue: ({ topic, subject, value }) =>
    `A message of ${visible(topic)} has been ready for ${duration(value * 1000)}: ${CAUSES[subject]}`,
  standby_missing: () => 'No other broker of the pair waits to take over',
  letters_new: ({ topic, subject, value }) =>
    `${visible(topic)} has ${deadLetters(value, 'new ')}: ${subject}`,
};

const CAUSES = {
  paused: 'the topic is paused',
  nobody_receives: 'nobody receives',
  slow: 'consumers are slow',
};

/** Watches the state; `close` ends it. */
export function serviceState() {
  const parts = el('dl.service-parts');
  const list = el('ul.conditions');
  const none = el('p', { hidden: true }, 'No condition needs attention.');
  const more = el('p.more');
  const old = el('p.service-age');
  const element = el(
    'section.service',
    { 'aria-label': 'Service' },
    parts,
    el('div', {}, el('h2.pf-c-title.pf-m-lg', {}, 'Conditions'), list, none, more, old),
  );
  const ended = new AbortController();
  let timer = 0;
  let known = null;

  async function look() {
    clearTimeout(timer);
    if (!document.hidden) {
      try {
        show(await get(path('state'), undefined, ended.signal));
        known = new Date().toISOString();
        old.replaceChildren();
      } catch {
        // The banner tells what is away.
        fill(old, known !== null && ['As of ', shortTime(known), ', the last answer.']);
      }
    }
    if (!ended.signal.aborted) {
      timer = setTimeout(look, POLL_MS);
    }
  }

  function show({ version, started_at: start, broker, conditions, left_out: leftOut }) {
    const isDown = (part) => conditions.some(({ id, subject }) => id === 'part_down' && subject === part);
    fill(
      parts,
      entry('Version', version),
      entry('Started (UTC)', shortTime(start)),
      entry('Broker', brokerText(broker, isDown('broker'))),
      entry('Database', isDown('database') ? 'down' : 'answers'),
    );
    fill(list, conditions.map(item));
    none.hidden = conditions.length > 0;
    more.textContent = leftOut > 0 ? `${count(leftOut)} more conditions fire.` : '';
  }

  document.addEventListener('visibilitychange', look, { signal: ended.signal });
  look();
  return {
    element,
    close() {
      ended.abort();
      clearTimeout(timer);
    },
  };
}

const entry = (name, value) => el('div', {}, el('dt', {}, name), el('dd', {}, value));

const brokerText = ({ kind, serving, standby }, isDown) =>
  isDown || serving === undefined ? `${kind}, down` : `${kind}, ${visible(serving)}${STANDBY.get(standby) ?? ''}`;

const STANDBY = new Map([
  [true, ', another waits'],
  [false, ', none waits'],
]);

function item(condition) {
  const { id, since, topic, runbook } = condition;
  const [document, section] = runbook.split('.md#');
  return el(
    'li',
    { 'data-condition': id },
    el('strong', {}, TEXTS[id]?.(condition) ?? id),
    ' ',
    shortTime(since),
    ' ',
    id === 'letters_new' && el('a', { href: href(['topics', topic, 'letters']) }, 'Letters'),
    ' ',
    el(
      'a',
      { href: `/console/docs/${document}.html#${section}`, 'aria-label': `Runbook: ${section}` },
      'Runbook',
    ),
  );
}
