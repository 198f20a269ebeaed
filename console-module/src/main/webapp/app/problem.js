/** What can go wrong, and how it is told: problems of the API, and a server that does not answer. */
import { el } from './dom.js';
import { duration, visible } from './format.js';

/** An answer that is an error: RFC 9457. */
export class Problem extends Error {
  constructor(status, body, retryAfterMs) {
    super(body.detail ?? body.title ?? `The server answered ${status}`);
    this.status = status;
    this.title = body.title ?? `The server answered ${status}`;
    this.code = body.code ?? '';
    this.fields = body.errors ?? [];
    this.corrId = body.corr_id ?? '';
    this.retryAfterMs = retryAfterMs;
  }

  /** Of an answer, whatever its body is. */
  static async of(response) {
    let body = {};
    try {
      body = await response.json();
    } catch {
      // Not ours: some words of the web server. The status says enough.
    }
    const seconds = Number(response.headers.get('Retry-After'));
    return new Problem(response.status, body, body.retry_after_ms ?? seconds * 1000);
  }
}

/** There was no answer. */
export class Offline extends Error {
  constructor(message, options) {
    super(message, options);
    this.title = 'No connection to the server';
    this.code = '';
    this.fields = [];
  }
}

/**
 * An error as a panel.
 *
 * @param retry what its button does, if there is to be one
 */
export function panel(error, retry) {
  return el(
    'div.pf-c-alert.pf-m-inline.pf-m-danger.problem',
    { role: 'alert' },
    el('h2.pf-c-alert__title', {}, visible(error.title ?? 'The console failed')),
    el(
      'div.pf-c-alert__description',
      {},
      el('p', {}, visible(error.message)),
      fieldList(error.fields ?? []),
      error.retryAfterMs > 0 &&
        el('p', {}, `Try again in ${duration(Math.max(1000, error.retryAfterMs))}.`),
      error.corrId &&
        el('p', {}, 'In the server\u2019s log: ', el('code', {}, visible(error.corrId))),
      error.code && el('p', {}, el('code', {}, visible(error.code))),
      retry &&
        el('button.pf-c-button.pf-m-secondary', { type: 'button', onclick: retry }, 'Try again'),
    ),
  );
}

function fieldList(fields) {
  return (
    fields.length > 0 &&
    el(
      'ul',
      {},
      fields.map(({ field, message }) =>
        el('li', {}, el('code', {}, visible(field)), ': ', visible(message)),
      ),
    )
  );
}
