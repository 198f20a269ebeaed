/** A payload's bytes, and what they are: by what its sender said, else by how they begin. */

/** As much as is ever shown, and ever unpacked: packed, it may have been a thousandth of that. */
export const SHOWN_BYTES = 256 * 1024;

/** Base64 as bytes. */
export function fromBase64(text) {
  const binary = atob(text);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Bytes as base64. */
export function toBase64(bytes) {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}

/** Whether they begin as gzip does. */
export const isGzip = (bytes) => bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;

/** The beginning of what is in gzip, `{bytes, isWhole}`; throws when it is none. */
export async function gunzip(bytes) {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
    .getReader();
  const parts = [];
  let length = 0;
  let ended = false;
  while (!ended && length <= SHOWN_BYTES) {
    const { done, value } = await reader.read();
    ended = done;
    if (!done) {
      parts.push(value);
      length += value.length;
    }
  }
  if (!ended) {
    await reader.cancel();
  }
  const all = new Uint8Array(await new Blob(parts).arrayBuffer());
  return { bytes: all.subarray(0, SHOWN_BYTES), isWhole: ended && length <= SHOWN_BYTES };
}

/** The bytes as text, or null when they are none in UTF-8. */
export function asText(bytes, isWhole = true) {
  try {
    // Of a beginning, the last character may be cut.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole });
  } catch {
    return null;
  }
}

/** What the attributes say of the content's type; the empty text when they do not. */
export function declaredType(attrs = {}) {
  const key = Object.keys(attrs).find((name) => /^content[-_.]?type$/i.test(name));
  return key === undefined ? '' : attrs[key];
}

/** `json`, `xml`, `text` or `hex`: how they are best shown. */
export function kindOf(type, text) {
  if (text === null || /[\u0000-\u0008\u000e-\u001a]/.test(text)) {
    return 'hex';
  }
  if (/[/+]json\b/i.test(type) || (type === '' && /^\s*[[{]/.test(text))) {
    return 'json';
  }
  if (/[/+]x?html?\b|[/+]xml\b/i.test(type) || (type === '' && /^\s*<[?!a-z]/i.test(text))) {
    return 'xml';
  }
  return 'text';
}
