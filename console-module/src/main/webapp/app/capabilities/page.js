/** The capabilities that the service knows: who holds what, until when; minting and revoking. */
import { mintDialog } from '../actions/mint-dialog.js';
import { revokeDialog } from '../actions/revoke-dialog.js';
import { field, toolbarField } from '../actions/dialog.js';
import { get } from '../api.js';
import { el, fill } from '../dom.js';
import { count, shortTime, visible } from '../format.js';
import { panel } from '../problem.js';
import { go, href } from '../router.js';
import { isAdministrator } from '../session.js';
import { table } from '../table.js';

const PAGE_SIZE = '1000';
const KINDS = [
  ['minted', 'Minted'],
  ['console', 'Of console sessions'],
  ['all', 'All'],
];

/** Opens the page. */
export function capabilitiesPage(container) {
  const kind = fill(
    field('select', { onchange: () => go(href(['capabilities'], new URLSearchParams({ kind: kind.value }))) }),
    KINDS.map(([value, label]) => el('option', { value }, label)),
  );
  const list = table({
    name: 'capabilities',
    caption: 'Capabilities and revoked root keys',
    columns: [...COLUMNS, ...(isAdministrator() ? [[hidden('Actions'), revokeButton]] : [])],
    rowAttributes: ({ nonce }) => ({ 'data-nonce': nonce }),
  });
  const summary = el('p', { role: 'status' }, 'Loading \u2026');
  const failure = el('div');
  const more = el(
    'button.pf-c-button.pf-m-secondary',
    { type: 'button', hidden: true, 'data-action': 'more', onclick: showMore },
    'Show more',
  );
  let view = 'minted';
  let holder = null;
  let next = null;
  let request = new AbortController();

  fill(
    container,
    el(
      'div.page-head',
      {},
      el('h1.pf-c-title.pf-m-2xl', {}, 'Capabilities'),
      isAdministrator() &&
        el(
          'button.pf-c-button.pf-m-primary',
          { type: 'button', 'data-action': 'mint', onclick: () => mintDialog(refresh) },
          'Mint',
        ),
    ),
    el('div.toolbar', {}, el('div.toolbar-fields', {}, toolbarField('Kind', kind))),
    failure,
    summary,
    list.element,
    more,
  );

  function show(to) {
    const wanted = to.query.get('kind');
    view = KINDS.some(([value]) => value === wanted) ? wanted : 'minted';
    kind.value = view;
    holder = to.query.get('holder');
    refresh();
  }

  /** Shows whom a link means. */
  function mark() {
    const row = [...list.body.children].find(({ dataset }) => dataset.nonce === holder);
    row?.classList.add('is-open');
    row?.scrollIntoView({ block: 'center' });
  }

  function refresh() {
    return load(null, list.show);
  }

  function showMore() {
    return load(next, (entries) => list.body.append(...entries.map(list.row)));
  }

  async function load(cursor, place) {
    request.abort();
    request = new AbortController();
    const { signal } = request;
    try {
      const found = await get('/v1/capabilities', query(view, cursor), signal);
      failure.replaceChildren();
      next = found.next_cursor ?? null;
      place(found.capabilities);
      mark();
      more.hidden = next === null;
      summary.textContent = summarize(list.body.children.length, next === null);
    } catch (error) {
      if (!signal.aborted) {
        summary.textContent = '';
        fill(failure, panel(error, () => load(cursor, place)));
      }
    }
  }

  function revokeButton(entry) {
    return (
      isGood(entry) &&
      el(
        'button.pf-c-button.pf-m-secondary',
        {
          type: 'button',
          'data-action': 'revoke',
          'aria-label': `Revoke ${visible(entry.note ?? entry.nonce)}`,
          onclick: () => revokeDialog(entry, refresh),
        },
        'Revoke',
      )
    );
  }

  return { title: 'Capabilities', show, close: () => request.abort() };
}

const query = (kind, cursor) =>
  new URLSearchParams({ kind, limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) });

const isGood = (entry) => entry.nonce !== undefined && entry.revoked_at === undefined;

const hidden = (text) => el('span.visually-hidden', {}, text);

const COLUMNS = [
  ['Note', (entry) => el('span.capability-note', {}, visible(entry.note ?? '\u2013'))],
  ['Capability', (entry) => el('code', {}, visible(entry.nonce ?? `key ${entry.key_id}`))],
  ['Allows', (entry) => caveats(entry.caveats)],
  ['Leases', ({ leases }) => (leases === undefined ? '\u2013' : count(leases))],
  ['Minted (UTC)', (entry) => minted(entry)],
  ['Expires (UTC)', (entry) => expiry(entry)],
];

function caveats(texts) {
  if (texts === undefined) {
    return '\u2013';
  }
  return texts.length === 0
    ? 'everything'
    : el('ul.capability-caveats', {}, texts.map((text) => el('li', {}, el('code', {}, visible(text)))));
}

const minted = (entry) => [
  entry.minted_at !== undefined && shortTime(entry.minted_at),
  entry.minted_by !== undefined &&
    el('span.capability-by', {}, ` by ${visible(entry.minted_by_name ?? entry.minted_by)}`),
];

function expiry(entry) {
  if (entry.revoked_at !== undefined) {
    return ['revoked ', shortTime(entry.revoked_at)];
  }
  return entry.expires === undefined ? 'never' : shortTime(entry.expires);
}

function summarize(shown, isComplete) {
  if (shown === 0) {
    return 'No capability of this kind. Mint one for each program that sends or receives.';
  }
  const number = shown === 1 ? '1 entry' : `${shown} entries`;
  return isComplete ? number : `The first ${number}.`;
}
