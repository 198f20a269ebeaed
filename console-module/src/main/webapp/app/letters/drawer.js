/** One letter, with everything that is known of it, beside the table. */
import { get, path } from '../api.js';
import { copyButton } from '../clipboard.js';
import { curl } from '../curl.js';
import { el, fill } from '../dom.js';
import { panel } from '../problem.js';
import { declaredType, fromBase64, isGzip } from '../payload/bytes.js';
import { ending, save } from '../payload/download.js';
import { payloadPreview } from '../payload/preview.js';
import { mayAct } from '../session.js';
import { attributes, facts, history, proofs } from './letter-parts.js';

/**
 * The drawer.
 *
 * @param doors what may be done with the letter: `close()`, `reprocess(id)`, `discard(id)`,
 *     `resend(letter)`, `group(fingerprint)` the URL of its group
 */
export function letterDrawer(topic, doors) {
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
        { type: 'button', 'aria-label': 'Close the letter', onclick: doors.close },
        '\u00d7',
      ),
    ),
    body,
  );
  let shown = null;
  let asked = null;

  function closeOnEscape(event) {
    if (event.key === 'Escape') {
      doors.close();
    }
  }

  async function open(id) {
    asked?.abort();
    asked = new AbortController();
    const { signal } = asked;
    const isNew = shown !== id;
    shown = id;
    element.hidden = false;
    title.textContent = id;
    if (isNew) {
      fill(body, el('p', { role: 'status' }, 'Reading \u2026'));
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
      part('What it is', facts.list(letter, doors.group)),
      part('Attributes', attributes(letter.attrs ?? {})),
      part('Payload', payloadPreview(letter)),
      part('What happened to it', history(letter)),
      part('Proof', proofs(letter)),
    ];
  }

  function actions(letter) {
    return el(
      'div.drawer-actions',
      {},
      mayAct() && [
        button('Reprocess \u2026', 'pf-m-primary', () => doors.reprocess(letter.msg_id)),
        button('Edit and resend \u2026', 'pf-m-secondary', () => doors.resend(letter)),
        button('Discard \u2026', 'pf-m-danger', () => doors.discard(letter.msg_id)),
      ],
      button('Download payload', 'pf-m-link', () => download(letter)),
      copyButton('Copy as curl', () => curl('GET', path('dlq', topic, letter.msg_id))),
      copyButton('Copy link', () => location.href),
      copyButton('Copy id', () => letter.msg_id),
    );
  }

  function close() {
    asked?.abort();
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
  save(`${letter.msg_id}.${ending(declaredType(letter.attrs), isGzip(bytes))}`, bytes);
}
