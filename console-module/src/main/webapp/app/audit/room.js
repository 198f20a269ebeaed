/** The audit: who did what with dead letters, and the rest of it by another filter. */
import { el, fill, freshId } from '../dom.js';
import { time, visible } from '../format.js';
import { save } from '../payload/download.js';
import { panel } from '../problem.js';
import { go, href } from '../router.js';
import { newest, pages } from './entries.js';

const SPANS = [
  ['1', 'the last day'],
  ['7', 'the last 7 days'],
  ['30', 'the last 30 days'],
  ['365', 'the last year'],
];

/** Opens it. */
export function auditRoom(place) {
  const action = field('input', {
    type: 'text',
    pattern: '[a-z0-9._\\-]{0,64}\\*?',
    value: 'dlq.*',
  });
  const subject = field('input', { type: 'text', maxlength: '255' });
  const span = fill(
    field('select'),
    SPANS.map(([days, words]) => el('option', { value: days }, words)),
  );
  const body = el('tbody');
  const words = el('p', { role: 'status' });
  const failure = el('div');
  let view = { action: 'dlq.*', subject: '', days: '7' };
  let asked = new AbortController();

  fill(
    place,
    el('div.room-head', {}, el('h1.pf-c-title.pf-m-2xl', {}, 'Audit')),
    el(
      'form.pf-c-form.audit-filter',
      { 'aria-label': 'Filter', onsubmit: apply },
      el(
        'div.filter-fields',
        {},
        labelled('Action, or its beginning and *', action),
        labelled('Done to', subject),
        labelled('In', span),
      ),
      el(
        'div.filter-buttons',
        {},
        el('button.pf-c-button.pf-m-primary', { type: 'submit' }, 'Show'),
        el(
          'button.pf-c-button.pf-m-secondary',
          { type: 'button', 'data-action': 'export', onclick: exportAll },
          'Export as NDJSON',
        ),
      ),
    ),
    failure,
    words,
    el(
      'div.table-place',
      {},
      el(
        'table.pf-c-table.pf-m-compact.stacks.audit',
        {},
        el('caption.unseen', {}, 'What operators did, newest first'),
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            COLUMNS.map(([label]) => el('th', { scope: 'col' }, label)),
          ),
        ),
        body,
      ),
    ),
  );

  function apply(event) {
    event.preventDefault();
    const next = { action: action.value.trim(), subject: subject.value.trim(), days: span.value };
    go(href(['audit'], new URLSearchParams(next)));
    if (JSON.stringify(next) === JSON.stringify(view)) {
      refresh();
    }
  }

  function show({ query }) {
    view = {
      action: query.get('action') ?? 'dlq.*',
      subject: query.get('subject') ?? '',
      days: query.get('days') ?? '7',
    };
    action.value = view.action;
    subject.value = view.subject;
    span.value = view.days;
    refresh();
  }

  async function refresh() {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const { entries, isWhole } = await newest(view, signal);
      failure.replaceChildren();
      fill(body, entries.map(row));
      words.textContent = said(entries.length, isWhole);
    } catch (error) {
      if (!signal.aborted) {
        fill(failure, panel(error, refresh));
      }
    }
  }

  async function exportAll() {
    try {
      const parts = [];
      for await (const lines of pages(view, asked.signal)) {
        parts.push(lines);
      }
      save('audit.ndjson', new Blob(parts), 'application/x-ndjson');
    } catch (error) {
      fill(failure, panel(error, exportAll));
    }
  }

  return { title: 'Audit', show, close: () => asked.abort() };
}

const COLUMNS = [
  ['When', (entry) => time(entry.at)],
  ['What', (entry) => el('code', {}, visible(entry.action))],
  ['To', (entry) => subject(entry.subject)],
  [
    'Who',
    (entry) => [
      el('code', {}, visible(entry.actor)),
      entry.address && ` from ${visible(entry.address)}`,
    ],
  ],
  ['Note', (entry) => el('span.audit-note', {}, visible(entry.note))],
];

const JOB = /^j[0-9a-f]{16}$/;
const subject = (name) =>
  JOB.test(name) ? el('a', { href: href(['jobs', name]) }, name) : visible(name);

const row = (entry) =>
  el(
    'tr',
    {},
    COLUMNS.map(([label, of]) => el('td', { 'data-label': label }, of(entry))),
  );

function said(shown, isWhole) {
  if (shown === 0) {
    return 'Nothing of that kind was done in this time.';
  }
  const entries = shown === 1 ? '1 entry' : `${shown} entries, newest first`;
  return isWhole ? entries : `The newest ${shown}; the export has all.`;
}

const field = (tag, attributes = {}) =>
  el(`${tag}.pf-c-form-control`, { autocomplete: 'off', spellcheck: 'false', ...attributes });

function labelled(label, input) {
  input.id = freshId('audit');
  return el('div.filter-field', {}, el('label', { for: input.id }, label), input);
}
