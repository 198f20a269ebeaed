/** A payload to look at, always as text and never more than the beginning of a large one. */
import { el, fill } from '../dom.js';
import { size, visible } from '../format.js';
import { SHOWN_BYTES, asText, declaredType, fromBase64, gunzip, isGzip, kindOf } from './bytes.js';
import { hex, prettyJson, prettyXml } from './pretty.js';

/** A dump takes four times the room of its bytes. */
const HEX_BYTES = 16 * 1024;

const VIEWS = [
  ['json', 'JSON'],
  ['xml', 'XML'],
  ['text', 'Text'],
  ['hex', 'Hex'],
];

/** The preview of a letter's payload. */
export function payloadPreview(letter) {
  const raw = fromBase64(letter.payload);
  const type = declaredType(letter.attrs);
  const facts = el('p.payload-facts', {}, size(raw.length));
  const code = el('pre.payload-code', { tabindex: '0', 'aria-label': 'Payload' });
  const buttons = el('div.pf-c-toggle-group', {
    role: 'group',
    'aria-label': 'Show the payload as',
  });
  const element = el('div.payload', {}, facts, buttons, code);
  prepare(raw).then(begin);

  function begin({ bytes, isWhole, packing }) {
    const text = asText(bytes, isWhole);
    const kind = kindOf(type, text);
    fill(
      facts,
      [
        size(raw.length),
        type === '' ? 'no content type was given' : `said to be ${visible(type)}`,
        packing,
        !isWhole && `only the first ${size(SHOWN_BYTES)} are shown`,
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
      code.textContent = laidOut(view, bytes, text);
    }
  }

  return element;
}

async function prepare(raw) {
  if (isGzip(raw)) {
    try {
      return { ...(await gunzip(raw)), packing: 'unpacked from gzip' };
    } catch {
      return { ...beginning(raw), packing: 'begins as gzip, but cannot be unpacked' };
    }
  }
  return { ...beginning(raw), packing: null };
}

const beginning = (bytes) => ({
  bytes: bytes.subarray(0, SHOWN_BYTES),
  isWhole: bytes.length <= SHOWN_BYTES,
});

function laidOut(view, bytes, text) {
  if (view === 'hex' || text === null) {
    return hex(bytes.subarray(0, HEX_BYTES)) + (bytes.length > HEX_BYTES ? '\n\u2026' : '');
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
