/** Saves bytes that the page already has as a file. */
import { el } from '../dom.js';

const EXTENSIONS = [
  [/[/+]json\b/i, 'json'],
  [/[/+]xml\b/i, 'xml'],
  [/^text\//i, 'txt'],
];

/** The file extension for a content type. */
export function extension(type, isGzip) {
  const known = EXTENSIONS.find(([pattern]) => pattern.test(type))?.[1] ?? 'bin';
  return isGzip ? `${known === 'bin' ? '' : `${known}.`}gz` : known;
}

/** Saves the bytes; the default type keeps the browser from rendering them. */
export function save(name, bytes, type = 'application/octet-stream') {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
