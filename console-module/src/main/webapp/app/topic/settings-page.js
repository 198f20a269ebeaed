/** The settings of a topic, with what removes its messages or the topic. */
import { actionDialog } from '../actions/action-dialog.js';
import { field, labelled } from '../actions/dialog.js';
import { get, path } from '../api.js';
import { el, fill, freshId } from '../dom.js';
import { count, visible } from '../format.js';
import { panel } from '../problem.js';
import { go, href } from '../router.js';
import { isAdministrator } from '../session.js';
import { topicHead } from './head.js';
import { FIELDS, diff, entered, merged } from './settings.js';

/** Opens the tab. */
export function settingsPage(container, { parts: [, topic] }) {
  const title = `Settings of ${topic}`;
  const head = topicHead(container, topic, 'settings', title);
  const failure = el('div');
  const conflict = el('div', { role: 'status' });
  const rows = new Map(FIELDS.map((one) => [one.name, settingRow(one)]));
  const review = el('button.pf-c-button.pf-m-primary', { type: 'submit' }, 'Review changes');
  const fields = el(
    'fieldset.settings-fields',
    { disabled: true },
    el('legend.visually-hidden', {}, 'Settings'),
    [...rows.values()].map(({ element }) => element),
    isAdministrator() && el('div.dialog-buttons', {}, review),
  );
  /** The topic as the form read it. */
  let read = null;
  let request = new AbortController();

  fill(
    container,
    head.element,
    failure,
    conflict,
    el('form.pf-c-form.settings', { 'aria-label': 'Settings', onsubmit: submit }, fields),
    isAdministrator() &&
      el(
        'section.settings-removal',
        { 'aria-labelledby': 'removal' },
        el('h2.pf-c-title.pf-m-lg', { id: 'removal' }, 'Remove messages or the topic'),
        el(
          'div.dialog-buttons',
          {},
          danger('Purge messages', 'purge', () => remove(PURGE)),
          danger('Delete topic', 'delete', () => remove(DELETE)),
        ),
      ),
  );

  async function show() {
    head.refresh();
    request.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      begin(await get(path('topics', topic), undefined, signal));
      failure.replaceChildren();
      fields.disabled = !isAdministrator();
    } catch (error) {
      if (!signal.aborted) {
        fill(failure, panel(error, show));
      }
    }
  }

  /** Shows a topic; keeps what the user changed, if this is another version of it. */
  function begin(now) {
    const shown = read === null ? now.overrides : merged(read.overrides, current(), now.overrides);
    read = now;
    for (const { name } of FIELDS) {
      rows.get(name).show(shown[name], now.overrides[name] === undefined ? now[name] : undefined);
    }
  }

  const current = () =>
    entered(Object.fromEntries(FIELDS.map(({ name }) => [name, rows.get(name).value()])));

  function submit(event) {
    event.preventDefault();
    rows.forEach((row) => row.refuse(''));
    const next = current();
    const changes = diff(read.overrides, next);
    if (changes.length === 0) {
      fill(conflict, el('p', {}, 'Nothing is changed.'));
      return;
    }
    actionDialog({
      title: `Change ${changes.length === 1 ? '1 setting' : `${changes.length} settings`} of ${topic}?`,
      label: 'Save changes',
      parts: diffList(changes),
      right: () => ({ op: 'admin', topic }),
      request: () => ({
        method: 'PUT',
        path: path('topics', topic),
        body: next,
        headers: { 'If-Match': `"${read.version}"` },
      }),
      done(now) {
        read = null;
        begin(now);
        conflict.replaceChildren();
        return `The settings of ${topic} are changed.`;
      },
      failed,
    });
  }

  /** A refused value belongs to its field, and another change to the form. */
  function failed(error) {
    const known = (error.fields ?? []).filter(({ field: name }) => rows.has(name));
    known.forEach(({ field: name, message }) => rows.get(name).refuse(message));
    if (error.status === 412) {
      return showConflict;
    }
    return known.length === 0 ? null : () => rows.get(known[0].field).focus();
  }

  async function showConflict() {
    try {
      const before = read.overrides;
      const mine = diff(before, current());
      begin(await get(path('topics', topic)));
      fill(
        conflict,
        el(
          'div.pf-c-alert.pf-m-inline.pf-m-warning',
          {},
          el('h2.pf-c-alert__title', {}, 'Somebody else changed the settings'),
          el(
            'div.pf-c-alert__description',
            {},
            el('h3', {}, 'Their changes'),
            diffList(diff(before, read.overrides)),
            el('h3', {}, 'Your changes, not saved'),
            diffList(mine),
            el('p', {}, 'The form has both. Review your changes again.'),
          ),
        ),
      );
      review.focus();
    } catch (error) {
      fill(failure, panel(error));
    }
  }

  async function remove({ question, label, method, segments, said, done, then }) {
    let now;
    try {
      now = await get(path('topics', topic));
    } catch (error) {
      fill(failure, panel(error));
      return;
    }
    const confirmation = field('input', { type: 'text', name: 'confirmation', required: true });
    actionDialog({
      title: question(topic),
      label,
      isDanger: true,
      parts: [
        el('p.warning', {}, said(now)),
        labelled(`Type ${topic} to confirm`, confirmation),
      ],
      isReady: () => confirmation.value === topic,
      right: () => ({ op: 'admin', topic }),
      request: () => ({ method, path: path('topics', topic, ...segments) }),
      done(answer) {
        then(head.refresh);
        return done(topic, answer);
      },
    });
  }

  return {
    title,
    show,
    close() {
      head.close();
      request.abort();
    },
  };
}

const PURGE = {
  question: (topic) => `Purge ${topic}?`,
  label: 'Purge messages',
  method: 'POST',
  segments: ['purge'],
  said: ({ ready, delayed }) =>
    `${count(ready)} ready and ${count(delayed)} scheduled messages are removed for good.`,
  done: (topic, { purged }) =>
    purged === 1 ? '1 message is removed.' : `${count(purged)} messages are removed.`,
  then: (refresh) => refresh(),
};

const DELETE = {
  question: (topic) => `Delete ${topic}?`,
  label: 'Delete topic',
  method: 'DELETE',
  segments: [],
  said: ({ ready, delayed, inflight, dlq }) =>
    `The topic, ${count(ready + delayed + inflight)} messages, ${count(dlq)} dead letters, its keys ` +
    'and its ledger are removed for good.',
  done: (topic) => `${topic} is deleted.`,
  then: () => go(href(['topics'])),
};

const danger = (text, action, onclick) =>
  el('button.pf-c-button.pf-m-danger', { type: 'button', 'data-action': action, onclick }, text);

const shown = (value) => (value === undefined ? 'the service\u2019s' : visible(value));

const diffList = (changes) =>
  el(
    'ul.settings-diff',
    {},
    changes.map(({ label, before, after }) =>
      el('li', {}, `${label}: `, el('del', {}, shown(before)), ' \u2192 ', el('ins', {}, shown(after))),
    ),
  );

/** One field with its default as placeholder, and the service's refusal beside it. */
function settingRow({ label, isNumber, min, max }) {
  const refusal = el('p.settings-refusal.warning', { id: freshId('refusal'), role: 'alert' });
  const input = field('input', {
    ...(isNumber ? { type: 'number', min: String(min), max: String(max), step: '1' } : { type: 'text', maxlength: '40' }),
    'aria-describedby': refusal.id,
    id: freshId('setting'),
  });
  return {
    element: el('div.field', {}, el('label', { for: input.id }, label), input, refusal),
    value: () => input.value,
    focus: () => input.focus(),
    show(own, byDefault) {
      input.value = own === undefined ? '' : String(own);
      input.placeholder = own === undefined ? String(byDefault ?? 'none') : '';
    },
    refuse(message) {
      refusal.textContent = visible(message);
      message === '' ? input.removeAttribute('aria-invalid') : input.setAttribute('aria-invalid', 'true');
    },
  };
}
