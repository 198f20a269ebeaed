/** Client of the public API under /v1. Every request carries the session's capability. */
import { connected, disconnected } from './connection.js';
import { Offline, Problem } from './problem.js';
import { authorization, renew } from './session.js';

/** Sends GET and parses the JSON response. */
export async function get(path, params = new URLSearchParams(), signal = undefined) {
  return (await call('GET', withParams(path, params), undefined, signal)).json();
}

/** Posts JSON and parses the JSON response. */
export async function post(path, body = {}) {
  return (await call('POST', path, JSON.stringify(body))).json();
}

/** Sends GET and reads the response as text. */
export async function text(path, params, signal = undefined) {
  return (await call('GET', withParams(path, params), undefined, signal)).text();
}

/** Sends GET and returns the body as a byte stream. */
export async function stream(path, signal) {
  return (await call('GET', path, undefined, signal)).body;
}

/**
 * Makes a call with a capability other than the session's.
 *
 * @param request `{method, path, body, headers}`, `body` as an object
 */
export async function callWith(capability, { method, path, body, headers = {} }) {
  const json = body === undefined ? undefined : JSON.stringify(body);
  const more = { Authorization: `Bearer ${capability}`, ...headers };
  const response = await send(method, path, json, undefined, more);
  if (!response.ok) {
    throw await Problem.of(response);
  }
  return response;
}

/** Builds a path under /v1 and percent-encodes each part. */
export const path = (...parts) => `/v1/${parts.map(encodeURIComponent).join('/')}`;

/** Appends the query string, if there is one. */
function withParams(path, params) {
  const query = params.toString();
  return query === '' ? path : `${path}?${query}`;
}

async function call(method, url, body, signal) {
  let response = await send(method, url, body, signal);
  // The capability expired or was revoked early: renew and retry once.
  if (response.status === 401 && (await renew())) {
    response = await send(method, url, body, signal);
  }
  if (!response.ok) {
    throw await Problem.of(response);
  }
  return response;
}

async function send(method, url, body, signal, headers = authorization()) {
  try {
    const response = await fetch(url, {
      method,
      body,
      signal,
      cache: 'no-store',
      credentials: 'omit',
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
    });
    connected();
    return response;
  } catch (cause) {
    if (signal?.aborted) {
      throw cause;
    }
    disconnected();
    throw new Offline('The server did not respond. Try again when it is reachable.', {
      cause,
    });
  }
}
