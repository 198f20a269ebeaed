/** Preview of a payload: always rendered as text, and truncated. */
import { el, fill } from '../dom.js';
import { size, visible } from '../format.js';
import {
  MAX_SHOWN_BYTES,
  asText,
  declaredType,
  fromBase64,
  gunzip,
  isGzip,
  kindOf,
} from './bytes.js';
import { hex, prettyJson, prettyXml } from './pretty.js';

/** A dump is four times as long as its bytes. */
const MAX_HEX_BYTES = 16 * 1024;

const VIEWS = [
  ['json', 'JSON'],
  ['xml', 'XML'],
  ['text', 'Text'],
  ['hex', 'Hex'],
];

/** Creates the preview of the payload of a message or dead letter. */
export function payloadPreview({ payload, attrs }) {
  const raw = fromBase64(payload);
  const type = declaredType(attrs);
  const facts = el('p.payload-facts', {}, size(raw.length));
  const code = el('pre.payload-code', { tabindex: '0', 'aria-label': 'Payload' });
  const buttons = el('div.pf-c-toggle-group', {
    role: 'group',
    'aria-label': 'Payload view',
  });
  const element = el('div.payload', {}, facts, buttons, code);
  decode(raw).then(render);

  function render({ bytes, isComplete, encoding }) {
    const text = asText(bytes, isComplete);
    const kind = kindOf(type, text);
    fill(
      facts,
      [
        size(raw.length),
        type === '' ? 'no content type' : `content type ${visible(type)}`,
        encoding,
        !isComplete && `showing the first ${size(MAX_SHOWN_BYTES)}`,
      ]
        .filter(Boolean)
        .join(', '),
    );
    show(kind);

    function show(view) {
      const hadFocus = buttons.contains(document.activeElement);
      fill(
        buttons,
        VIEWS.map(([name, label]) => toggle(label, name === view, () => show(name))),
      );
      if (hadFocus) {
        buttons.querySelector('.pf-m-selected').focus();
      }
      code.textContent = formatted(view, bytes, text);
    }
  }

  return element;
}

async function decode(raw) {
  if (isGzip(raw)) {
    try {
      return { ...(await gunzip(raw)), encoding: 'decompressed from gzip' };
    } catch {
      return { ...truncated(raw), encoding: 'gzip header, but not decompressible' };
    }
  }
  return { ...truncated(raw), encoding: null };
}

const truncated = (bytes) => ({
  bytes: bytes.subarray(0, MAX_SHOWN_BYTES),
  isComplete: bytes.length <= MAX_SHOWN_BYTES,
});

function formatted(view, bytes, text) {
  if (view === 'hex' || text === null) {
    return hex(bytes.subarray(0, MAX_HEX_BYTES)) + (bytes.length > MAX_HEX_BYTES ? '\n\u2026' : '');
  }
  switch (view) {
    case 'json':
      return visible(prettyJson(text) ?? text);
    case 'xml':
      return visible(prettyXml(text));
    default:
      return visible(text);
  }
}

function toggle(label, isOn, onclick) {
  return el(
    'div.pf-c-toggle-group__item',
    {},
    el(
      `button.pf-c-toggle-group__button${isOn ? '.pf-m-selected' : ''}`,
      { type: 'button', 'aria-pressed': String(isOn), onclick },
      el('span.pf-c-toggle-group__text', {}, label),
    ),
  );
}
