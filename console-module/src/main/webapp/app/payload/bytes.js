/** Decodes payloads and detects their content: by declared type, otherwise by the first bytes. */

/** Limit of what is shown and decompressed: gzip can expand a thousandfold. */
export const MAX_SHOWN_BYTES = 256 * 1024;

/** Decodes base64. */
export function fromBase64(text) {
  const binary = atob(text);
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

/** Encodes base64. */
export function toBase64(bytes) {
  let binary = '';
  for (let i = 0; i < bytes.length; i += 0x8000) {
    binary += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  }
  return btoa(binary);
}

/** Whether the bytes start with a gzip header. */
export const isGzip = (bytes) => bytes.length > 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;

/** Decompresses up to the limit: `{bytes, isComplete}`; throws if it is not gzip. */
export async function gunzip(bytes) {
  const reader = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
    .getReader();
  const parts = [];
  let length = 0;
  let ended = false;
  while (!ended && length <= MAX_SHOWN_BYTES) {
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
  return {
    bytes: all.subarray(0, MAX_SHOWN_BYTES),
    isComplete: ended && length <= MAX_SHOWN_BYTES,
  };
}

/** Decodes UTF-8; null if the bytes are not valid. */
export function asText(bytes, isComplete = true) {
  try {
    // Truncation may have split the last character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isComplete });
  } catch {
    return null;
  }
}

/** The content type that the attributes declare; empty if none. */
export function declaredType(attrs = {}) {
  const key = Object.keys(attrs).find((name) => /^content[-_.]?type$/i.test(name));
  return key === undefined ? '' : attrs[key];
}

/** The initial view: `json`, `xml`, `text` or `hex`. */
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
