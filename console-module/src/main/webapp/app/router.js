/** Which room of the console the URL names. Everything that can be shared is behind the `#`. */

/** `#/topics/orders/letters?reason=expired` as `{parts: [...], query: URLSearchParams}`. */
export function route(hash = location.hash) {
  const [path, query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  return {
    parts: path
      .split('/')
      .filter((part) => part !== '')
      .map(decoded),
    query: new URLSearchParams(query),
  };
}

function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The URL of a room. */
export function href(parts, query = new URLSearchParams()) {
  const path = `#/${parts.map(encodeURIComponent).join('/')}`;
  return query.toString() === '' ? path : `${path}?${query}`;
}

/** Goes there. */
export function go(target) {
  location.hash = target;
}

/** Goes there without a step in the browser's history. */
export function replace(target) {
  history.replaceState(null, '', target);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
