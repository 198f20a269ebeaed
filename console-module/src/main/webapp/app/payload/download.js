/** Saves bytes as a file, without asking the server for them again. */
import { el } from '../dom.js';

const ENDINGS = [
  [/[/+]json\b/i, 'json'],
  [/[/+]xml\b/i, 'xml'],
  [/^text\//i, 'txt'],
];

/** What a file of that content type ends with. */
export function ending(type, isPacked) {
  const known = ENDINGS.find(([pattern]) => pattern.test(type))?.[1] ?? 'bin';
  return isPacked ? `${known === 'bin' ? '' : `${known}.`}gz` : known;
}

/** Saves them; whatever they are, the browser is told that they are only bytes. */
export function save(name, bytes, type = 'application/octet-stream') {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  el('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
