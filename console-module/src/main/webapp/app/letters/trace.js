/**
 * The link to a message's trace. The user configures the tracing system's URL once; this browser
 * stores it.
 */
import { copyButton } from '../clipboard.js';
import { el, fill } from '../dom.js';
import { visible } from '../format.js';

const KEY = 'mailbox.trace-url';
const PLACEHOLDER = '{trace_id}';
const PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/;

/** A message's trace id, linked if a URL is configured. */
export function trace(parent) {
  const id = PARENT.exec(parent ?? '')?.[1];
  if (id === undefined) {
    return el('span', {}, parent === undefined ? 'None' : visible(parent));
  }
  const container = el('span.trace');
  draw();
  return container;

  function draw() {
    const template = localStorage.getItem(KEY);
    fill(
      container,
      isTemplate(template)
        ? el(
            'a',
            {
              href: template.replace(PLACEHOLDER, id),
              target: '_blank',
              rel: 'noopener noreferrer',
            },
            id,
          )
        : el('code', {}, id),
      ' ',
      copyButton('Copy', () => id, 'Copy the trace id'),
      ' ',
      el(
        'button.pf-c-button.pf-m-link.pf-m-inline',
        { type: 'button', onclick: edit },
        'Set trace link \u2026',
      ),
    );
  }

  function edit() {
    const input = el('input.pf-c-form-control', {
      type: 'url',
      'aria-label': `Trace URL with ${PLACEHOLDER}`,
      placeholder: `https://traces.example/trace/${PLACEHOLDER}`,
      value: localStorage.getItem(KEY) ?? '',
    });
    fill(
      container,
      el(
        'form',
        {
          onsubmit: (event) => {
            event.preventDefault();
            store(input.value.trim());
            draw();
          },
        },
        input,
        el(
          'button.pf-c-button.pf-m-secondary.pf-m-small',
          { type: 'submit' },
          'Save in this browser',
        ),
      ),
    );
    input.focus();
  }
}

function store(template) {
  if (isTemplate(template)) {
    localStorage.setItem(KEY, template);
  } else {
    localStorage.removeItem(KEY);
  }
}

const isTemplate = (text) =>
  text !== null && /^https?:\/\//.test(text) && text.includes(PLACEHOLDER);
