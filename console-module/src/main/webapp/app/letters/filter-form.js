/** The filter toolbar: common criteria in one line, the others behind a disclosure. */
import { field, toolbarField } from '../actions/dialog.js';
import { el, fill } from '../dom.js';
import { MULTIPLE, REASONS, SINGLE } from './filter.js';

const HOUR_MS = 3_600_000;
const SPANS = [
  ['Last hour', HOUR_MS],
  ['Last 24 hours', 24 * HOUR_MS],
  ['Last 7 days', 168 * HOUR_MS],
];

/**
 * Creates the toolbar. Criteria take effect on submit, not while typing.
 *
 * @param apply takes a filter
 */
export function filterForm(apply) {
  const basic = {
    q: text('Error text', 'connect time*'),
    reason: reasons(),
  };
  const advanced = {
    since: moment('Dead-lettered after (UTC)'),
    until: moment('Dead-lettered before (UTC)'),
    idem_key: text('Idempotency key'),
    corr_id: text('Correlation id'),
    attempt: text('Attempts', '', { type: 'number', min: '0', max: '1000' }),
    fingerprint: text('Error groups (one per line)', '', { rows: '2' }, 'textarea'),
    job: text('Redriven by job', '', { pattern: 'j[0-9a-f]{16}' }),
    attr: text('Attributes (key=value, one per line)', '', { rows: '2' }, 'textarea'),
  };
  const inputs = { ...basic, ...advanced };
  const active = el('span.filter-active');
  const element = el(
    'form.toolbar.filter',
    { 'aria-label': 'Filter', onsubmit: submit },
    el('div.toolbar-fields', {}, Object.values(basic).map(row)),
    el(
      'div.toolbar-buttons',
      {},
      el('button.pf-c-button.pf-m-primary', { type: 'submit' }, 'Apply filter'),
      el(
        'button.pf-c-button.pf-m-secondary',
        { type: 'button', onclick: () => apply({}) },
        'Clear filter',
      ),
    ),
    el(
      'details.filter-more',
      {},
      el('summary', {}, 'More filters', active),
      el('div.toolbar-fields', {}, Object.values(advanced).map(row)),
      el(
        'div.toolbar-buttons',
        {},
        SPANS.map(([label, millis]) =>
          el(
            'button.pf-c-button.pf-m-link',
            { type: 'button', onclick: () => span(millis) },
            label,
          ),
        ),
      ),
    ),
  );

  function submit(event) {
    event.preventDefault();
    apply(read());
  }

  function span(millis) {
    apply({ ...read(), since: new Date(Date.now() - millis).toISOString(), until: '' });
  }

  function read() {
    const filter = {};
    for (const name of MULTIPLE) {
      filter[name] = lines(inputs[name].input.value);
    }
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
      for (const name of MULTIPLE) {
        inputs[name].input.value = (filter[name] ?? []).join('\n');
      }
      const hidden = Object.values(advanced).filter(({ input }) => input.value !== '').length;
      active.textContent = hidden === 0 ? '' : ` (${hidden} active)`;
    },
  };
}

const lines = (value) =>
  value
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** The field's `2026-11-22T03:00:05` is UTC. */
const toInstant = (value) => (value === '' ? '' : new Date(`${value}Z`).toISOString());

function toField(value) {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace(/(:00)?\.000Z$|Z$/, '');
}

function text(label, placeholder = '', more = {}, tag = 'input') {
  const input = field(tag, {
    placeholder: placeholder || null,
    ...(tag === 'input' ? { type: 'text' } : {}),
    ...more,
  });
  return { label, input, isMoment: false };
}

function moment(label) {
  return { ...text(label, '', { type: 'datetime-local', step: 'any' }), isMoment: true };
}

function reasons() {
  const input = fill(
    field('select'),
    el('option', { value: '' }, 'Any'),
    Object.entries(REASONS).map(([value, label]) => el('option', { value }, `${label} (${value})`)),
  );
  return { label: 'Reason', input, isMoment: false };
}

const row = ({ label, input }) => toolbarField(label, input);
