/** Calls of the API as somebody types them into a shell; with a place for the capability, never with it. */

/** The call as one line for a POSIX shell. */
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

/** In single quotes, where the shell changes nothing. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
