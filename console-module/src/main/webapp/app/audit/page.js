/** The audit log, initially filtered to dead-letter actions. */
import { field, toolbarField } from '../actions/dialog.js';
import { el, fill } from '../dom.js';
import { actor, shortTime, visible } from '../format.js';
import { save } from '../payload/download.js';
import { panel } from '../problem.js';
import { go, href } from '../router.js';
import { table } from '../table.js';
import { newest, pages } from './entries.js';

const SPANS = [
  ['1', 'Last 24 hours'],
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['365', 'Last year'],
];

/** Opens the page. */
export function auditPage(container) {
  const action = field('input', {
    type: 'text',
    pattern: '[a-z0-9._\\-]{0,64}\\*?',
    value: 'dlq.*',
  });
  const subject = field('input', { type: 'text', maxlength: '255' });
  const actorName = field('input', { type: 'text', maxlength: '255' });
  const span = fill(
    field('select'),
    SPANS.map(([days, label]) => el('option', { value: days }, label)),
  );
  const list = table({
    name: 'audit',
    caption: 'Audit entries, newest first',
    columns: COLUMNS,
  });
  const summary = el('p', { role: 'status' }, 'Loading \u2026');
  const failure = el('div');
  let view = { action: 'dlq.*', subject: '', actor: '', days: '7' };
  let request = new AbortController();

  fill(
    container,
    el('div.page-head', {}, el('h1.pf-c-title.pf-m-2xl', {}, 'Audit log')),
    el(
      'form.toolbar',
      { 'aria-label': 'Filter', onsubmit: apply },
      el(
        'div.toolbar-fields',
        {},
        toolbarField('Action (* matches any ending)', action),
        toolbarField('Subject', subject),
        toolbarField('Actor', actorName),
        toolbarField('Period', span),
      ),
      el(
        'div.toolbar-buttons',
        {},
        el('button.pf-c-button.pf-m-primary', { type: 'submit' }, 'Apply filter'),
        el(
          'button.pf-c-button.pf-m-secondary',
          { type: 'button', 'data-action': 'export', onclick: exportAll },
          'Export as NDJSON',
        ),
      ),
    ),
    failure,
    summary,
    list.element,
  );

  function apply(event) {
    event.preventDefault();
    const next = {
      action: action.value.trim(),
      subject: subject.value.trim(),
      actor: actorName.value.trim(),
      days: span.value,
    };
    go(href(['audit'], new URLSearchParams(next)));
    if (JSON.stringify(next) === JSON.stringify(view)) {
      refresh();
    }
  }

  function show({ query }) {
    view = {
      action: query.get('action') ?? 'dlq.*',
      subject: query.get('subject') ?? '',
      actor: query.get('actor') ?? '',
      days: query.get('days') ?? '7',
    };
    action.value = view.action;
    subject.value = view.subject;
    actorName.value = view.actor;
    span.value = view.days;
    refresh();
  }

  async function refresh() {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      const { entries, isComplete } = await newest(view, signal);
      failure.replaceChildren();
      list.show(entries);
      summary.textContent = summarize(entries.length, isComplete);
    } catch (error) {
      if (!signal.aborted) {
        summary.textContent = '';
        fill(failure, panel(error, refresh));
      }
    }
  }

  async function exportAll() {
    try {
      const parts = [];
      for await (const lines of pages(view, request.signal)) {
        parts.push(lines);
      }
      save('audit.ndjson', new Blob(parts), 'application/x-ndjson');
    } catch (error) {
      fill(failure, panel(error, exportAll));
    }
  }

  return { title: 'Audit log', show, refresh, close: () => request.abort() };
}

const COLUMNS = [
  ['Time (UTC)', (entry) => shortTime(entry.at)],
  ['Action', (entry) => el('code', {}, visible(entry.action))],
  ['Subject', (entry) => subject(entry.subject)],
  [
    'Actor',
    (entry) => [
      actor(entry.actor, entry.actor_name),
      entry.address && ` from ${visible(entry.address)}`,
    ],
  ],
  ['Note', (entry) => el('span.audit-note', {}, visible(entry.note))],
];

const JOB = /^j[0-9a-f]{16}$/;
const subject = (name) =>
  JOB.test(name) ? el('a', { href: href(['jobs', name]) }, name) : visible(name);

function summarize(shown, isComplete) {
  if (shown === 0) {
    return 'No entries match the filter.';
  }
  const entries = shown === 1 ? '1 entry' : `${shown} entries, newest first`;
  return isComplete ? entries : `Newest ${shown} entries; export for all.`;
}
