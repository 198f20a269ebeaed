/**
 * The way to a letter's trace. Where traces are shown is known to whoever looks for them, so the page's
 * address is asked for once and kept in the browser.
 */
import { copyButton } from '../clipboard.js';
import { el, fill } from '../dom.js';
import { visible } from '../format.js';

const KEY = 'mailbox.trace-url';
const PLACE = '{trace_id}';
const PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** The trace of a message, or words that it has none. */
export function trace(parent) {
  const id = PARENT.exec(parent ?? '')?.[1];
  if (id === undefined) {
    return el('span', {}, parent === undefined ? 'Its sender gave none' : visible(parent));
  }
  const place = el('span.trace');
  draw();
  return place;

  function draw() {
    const template = localStorage.getItem(KEY);
    fill(
      place,
      isTemplate(template)
        ? el(
            'a',
            { href: template.replace(PLACE, id), target: '_blank', rel: 'noopener noreferrer' },
            id,
          )
        : el('code', {}, id),
      ' ',
      copyButton('Copy', () => id, 'Copy the trace id'),
      ' ',
      el(
        'button.pf-c-button.pf-m-link.pf-m-inline',
        { type: 'button', onclick: ask },
        'Set link \u2026',
      ),
    );
  }

  function ask() {
    const input = el('input.pf-c-form-control', {
      type: 'url',
      'aria-label': `Address of a trace, with ${PLACE} in it`,
      placeholder: `https://traces.example/trace/${PLACE}`,
      value: localStorage.getItem(KEY) ?? '',
    });
    fill(
      place,
      el(
        'form',
        {
          onsubmit: (event) => {
            event.preventDefault();
            keep(input.value.trim());
            draw();
          },
        },
        input,
        el(
          'button.pf-c-button.pf-m-secondary.pf-m-small',
          { type: 'submit' },
          'Keep in this browser',
        ),
      ),
    );
    input.focus();
  }
}

function keep(template) {
  if (isTemplate(template)) {
    localStorage.setItem(KEY, template);
  } else {
    localStorage.removeItem(KEY);
  }
}

const isTemplate = (text) => text !== null && /^https?:\/\//.test(text) && text.includes(PLACE);
