/** API calls as curl commands. They refer to the capability by a variable and never contain it. */

/** One command line for a POSIX shell. */
export function curl(method, path, body = undefined) {
  const parts = ['curl -sS', '-H "Authorization: Bearer $MAILBOX_CAPABILITY"'];
  if (method !== 'GET') {
    parts.push(`-X ${method}`);
  }
  if (body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d ${quoted(JSON.stringify(body))}`);
  }
  parts.push(quoted(location.origin + path));
  return parts.join(' ');
}

/** Quotes a shell argument; single quotes suppress every expansion. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
