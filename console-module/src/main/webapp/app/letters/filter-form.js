/** The filter's fields. Nothing is asked for while somebody types: only when it is sent. */
import { el, fill, freshId } from '../dom.js';
import { REASONS, SINGLE } from './filter.js';

const HOUR_MS = 3_600_000;
const SPANS = [
  ['Last hour', HOUR_MS],
  ['Last 24 hours', 24 * HOUR_MS],
  ['Last 7 days', 168 * HOUR_MS],
];

/**
 * The form.
 *
 * @param apply takes a filter
 */
export function filterForm(apply) {
  const inputs = {
    q: text('Words of the error', 'connect time*'),
    reason: reasons(),
    since: moments('Died since (UTC)'),
    until: moments('Died before (UTC)'),
    idem_key: text('Idempotency key'),
    corr_id: text('Correlation id'),
    attempt: text('Deliveries', '', { type: 'number', min: '0', max: '1000' }),
    fingerprint: text('Group (fingerprint)', '', { pattern: '[0-9a-f]{16}' }),
    attr: text('Attributes, one key=value a line', '', { rows: '2' }, 'textarea'),
  };
  const element = el(
    'form.pf-c-form.filter',
    { 'aria-label': 'Filter', onsubmit: send },
    el('div.filter-fields', {}, Object.values(inputs).map(field)),
    el(
      'div.filter-buttons',
      {},
      el('button.pf-c-button.pf-m-primary', { type: 'submit' }, 'Apply filter'),
      el(
        'button.pf-c-button.pf-m-secondary',
        { type: 'button', onclick: () => apply({ attr: [] }) },
        'Clear filter',
      ),
      SPANS.map(([label, millis]) =>
        el('button.pf-c-button.pf-m-link', { type: 'button', onclick: () => span(millis) }, label),
      ),
    ),
  );

  function send(event) {
    event.preventDefault();
    apply(read());
  }

  function span(millis) {
    apply({ ...read(), since: new Date(Date.now() - millis).toISOString(), until: '' });
  }

  function read() {
    const filter = { attr: lines(inputs.attr.input.value) };
    for (const name of SINGLE) {
      const value = inputs[name].input.value.trim();
      filter[name] = inputs[name].isMoment ? toInstant(value) : value;
    }
    return filter;
  }

  return {
    element,
    /** Puts a filter into the fields. */
    show(filter) {
      for (const name of SINGLE) {
        const value = filter[name] ?? '';
        inputs[name].input.value = inputs[name].isMoment ? toField(value) : value;
      }
      inputs.attr.input.value = (filter.attr ?? []).join('\n');
    },
  };
}

const lines = (value) =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** `2026-11-22T03:00:05` of the field is UTC. */
const toInstant = (value) => (value === '' ? '' : new Date(`${value}Z`).toISOString());

function toField(value) {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/(:00)?\.000Z$|Z$/, '');
}

function text(label, placeholder = '', more = {}, tag = 'input') {
  const input = el(`${tag}.pf-c-form-control`, {
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: placeholder || null,
    ...(tag === 'input' ? { type: 'text' } : {}),
    ...more,
  });
  return { label, input, isMoment: false };
}

function moments(label) {
  return { ...text(label, '', { type: 'datetime-local', step: 'any' }), isMoment: true };
}

function reasons() {
  const input = el('select.pf-c-form-control');
  fill(
    input,
    el('option', { value: '' }, 'Any'),
    Object.entries(REASONS).map(([value, words]) => el('option', { value }, `${words} (${value})`)),
  );
  return { label: 'Reason', input, isMoment: false };
}

function field({ label, input }) {
  input.id = freshId('filter');
  return el('div.filter-field', {}, el('label', { for: input.id }, label), input);
}
