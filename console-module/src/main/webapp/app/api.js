/** Calls of the public API under /v1, with the capability of whoever is signed in. */
import { answered, lost } from './connection.js';
import { Offline, Problem } from './problem.js';
import { authorization, renew } from './session.js';

/** GET, answered as JSON. */
export async function get(path, params = new URLSearchParams(), signal = undefined) {
  return (await call('GET', withParams(path, params), undefined, signal)).json();
}

/** POST of JSON, answered as JSON. */
export async function post(path, body = {}) {
  return (await call('POST', path, JSON.stringify(body))).json();
}

/** GET, answered as text. */
export async function text(path, params, signal = undefined) {
  return (await call('GET', withParams(path, params), undefined, signal)).text();
}

/** GET, answered as a stream of bytes. */
export async function stream(path, signal) {
  return (await call('GET', path, undefined, signal)).body;
}

/** A path of names that strangers chose. */
export const path = (...parts) => `/v1/${parts.map(encodeURIComponent).join('/')}`;

/** A path with its parameters. */
export function withParams(path, params) {
  const query = params.toString();
  return query === '' ? path : `${path}?${query}`;
}

async function call(method, url, body, signal) {
  let response = await send(method, url, body, signal);
  // Revoked or over before its time: a new one, once.
  if (response.status === 401 && (await renew())) {
    response = await send(method, url, body, signal);
  }
  if (!response.ok) {
    throw await Problem.of(response);
  }
  return response;
}

async function send(method, url, body, signal) {
  try {
    const response = await fetch(url, {
      method,
      body,
      signal,
      cache: 'no-store',
      credentials: 'omit',
      headers: {
        ...authorization(),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
    });
    answered();
    return response;
  } catch (cause) {
    if (signal?.aborted) {
      throw cause;
    }
    lost();
    throw new Offline('The server does not answer. Nothing is lost: try again when it is back.', {
      cause,
    });
  }
}
