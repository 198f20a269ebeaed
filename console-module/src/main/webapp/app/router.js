/** Hash routing. The fragment holds all shareable state. */

/** Parses `#/topics/orders/letters?reason=expired` to `{parts: [...], query: URLSearchParams}`. */
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

/** Builds the URL of a page. */
export function href(parts, query = new URLSearchParams()) {
  const path = `#/${parts.map(encodeURIComponent).join('/')}`;
  return query.toString() === '' ? path : `${path}?${query}`;
}

/** Navigates to a URL of the console. */
export function go(target) {
  location.hash = target;
}
