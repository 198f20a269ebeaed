/** Errors of API calls and how they are displayed. */
import { el } from './dom.js';
import { duration, visible } from './format.js';

/** An error response (RFC 9457). */
export class Problem extends Error {
  constructor(status, body, retryAfterMs) {
    super(body.detail ?? body.title ?? `HTTP status ${status}`);
    this.status = status;
    this.title = body.title ?? `HTTP status ${status}`;
    this.code = body.code ?? '';
    this.fields = body.errors ?? [];
    this.reason = body.reason ?? '';
    this.corrId = body.corr_id ?? '';
    this.retryAfterMs = retryAfterMs;
  }

  /** Reads an error response, with or without a problem document. */
  static async of(response) {
    let body = {};
    try {
      body = await response.json();
    } catch {
      // An error page of a proxy or the web server: the status has to do.
    }
    const seconds = Number(response.headers.get('Retry-After'));
    return new Problem(response.status, body, body.retry_after_ms ?? seconds * 1000);
  }
}

/** No response arrived. */
export class Offline extends Error {
  constructor(message, options) {
    super(message, options);
    this.title = 'No connection to the server';
    this.code = '';
    this.fields = [];
  }
}

/**
 * An alert that describes an error.
 *
 * @param retry called by the alert's button; without it there is none
 */
export function panel(error, retry) {
  return el(
    'div.pf-c-alert.pf-m-inline.pf-m-danger.problem',
    { role: 'alert' },
    el('h2.pf-c-alert__title', {}, visible(error.title ?? 'Unexpected console error')),
    el(
      'div.pf-c-alert__description',
      {},
      // The detail is the list in one line.
      fieldList(error.fields ?? []) || el('p', {}, visible(error.message)),
      error.retryAfterMs > 0 &&
        el('p', {}, `Retry after ${duration(Math.max(1000, error.retryAfterMs))}.`),
      error.corrId && el('p', {}, 'Correlation id: ', el('code', {}, visible(error.corrId))),
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
