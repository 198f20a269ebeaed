/** The details of one dead letter, beside the table. */
import { get, path } from '../api.js';
import { copyButton } from '../clipboard.js';
import { curl } from '../curl.js';
import { el, fill } from '../dom.js';
import { panel } from '../problem.js';
import { declaredType, fromBase64, isGzip } from '../payload/bytes.js';
import { extension, save } from '../payload/download.js';
import { payloadPreview } from '../payload/preview.js';
import { isOperator } from '../session.js';
import { attributes, facts, history, integrity } from './letter-parts.js';

/**
 * Creates the drawer.
 *
 * @param handlers `close()`, `redrive(id)`, `discard(id)`, `resend(letter)` and
 *     `groupUrl(fingerprint)`
 */
export function letterDrawer(topic, handlers) {
  const body = el('div.drawer-body');
  const title = el('h2.pf-c-title.pf-m-lg.drawer-title', { id: 'drawer-title', tabindex: '-1' });
  const element = el(
    'section.drawer',
    { 'aria-labelledby': 'drawer-title', hidden: true, onkeydown: closeOnEscape },
    el(
      'div.drawer-head',
      {},
      title,
      el(
        'button.pf-c-button.pf-m-plain.close',
        { type: 'button', 'aria-label': 'Close details', onclick: handlers.close },
        '\u00d7',
      ),
    ),
    body,
  );
  let shown = null;
  let request = null;

  function closeOnEscape(event) {
    if (event.key === 'Escape') {
      handlers.close();
    }
  }

  async function open(id) {
    request?.abort();
    request = new AbortController();
    const { signal } = request;
    const isNew = shown !== id;
    shown = id;
    element.hidden = false;
    title.textContent = id;
    if (isNew) {
      fill(body, el('p', { role: 'status' }, 'Loading \u2026'));
      title.focus();
    }
    try {
      const letter = await get(path('dlq', topic, id), undefined, signal);
      fill(body, content(letter));
    } catch (error) {
      if (!signal.aborted) {
        fill(
          body,
          panel(error, () => open(id)),
        );
      }
    }
  }

  function content(letter) {
    return [
      actions(letter),
      part(
        'Last error',
        el('pre.error-text', { tabindex: '0', 'aria-label': 'Last error' }, facts.error(letter)),
      ),
      part('Details', facts.list(letter, handlers.groupUrl)),
      part('Attributes', attributes(letter.attrs ?? {})),
      part('Payload', payloadPreview(letter)),
      part('History', history(letter)),
      part('Integrity', integrity(letter)),
    ];
  }

  function actions(letter) {
    return el(
      'div.drawer-actions',
      {},
      isOperator() && [
        button('Redrive \u2026', 'pf-m-primary', () => handlers.redrive(letter.msg_id)),
        button('Edit and resend \u2026', 'pf-m-secondary', () => handlers.resend(letter)),
        button('Discard \u2026', 'pf-m-danger', () => handlers.discard(letter.msg_id)),
      ],
      button('Download payload', 'pf-m-link', () => download(letter)),
      copyButton('Copy as curl', () => curl('GET', path('dlq', topic, letter.msg_id))),
      copyButton('Copy link', () => location.href),
      copyButton('Copy id', () => letter.msg_id),
    );
  }

  function close() {
    request?.abort();
    shown = null;
    element.hidden = true;
    fill(body);
  }

  return { element, open, close, isOpen: () => shown !== null };
}

function button(label, kind, onclick) {
  return el(`button.pf-c-button.${kind}`, { type: 'button', onclick }, label);
}

function part(name, ...children) {
  return el('section.drawer-part', {}, el('h3.pf-c-title.pf-m-md', {}, name), children);
}

function download(letter) {
  const bytes = fromBase64(letter.payload);
  save(`${letter.msg_id}.${extension(declaredType(letter.attrs), isGzip(bytes))}`, bytes);
}
