/** A section of OPERATIONS.md, as text: what to do about a condition. */
import { el, fill } from '../dom.js';
import { panel } from '../problem.js';

const DOCUMENT = '/console/docs/OPERATIONS.md';

/** Opens the page; the second part of the URL is the section's anchor. */
export function runbookPage(container) {
  const title = el('h1.pf-c-title.pf-m-2xl', {}, 'Runbook');
  const text = el('pre.runbook');
  fill(container, el('div.page-head', {}, title), text);

  async function show({ parts: [, anchor] }) {
    try {
      const response = await fetch(DOCUMENT, { credentials: 'omit' });
      const [heading, ...lines] = section(await response.text(), anchor);
      title.textContent = heading ?? 'No such section';
      text.textContent = lines.join('\n').trim();
    } catch (error) {
      fill(container, panel(error));
    }
  }

  return { title: 'Runbook', show, close: () => {} };
}

/** The heading's text and the lines up to the next heading of its level or above. */
function section(markdown, anchor) {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => /^#+ /.test(line) && slug(line) === anchor);
  if (start < 0) {
    return [];
  }
  const level = lines[start].indexOf(' ');
  const length = lines
    .slice(start + 1)
    .findIndex((line) => /^#+ /.test(line) && line.indexOf(' ') <= level);
  const end = length < 0 ? lines.length : start + 1 + length;
  return [lines[start].slice(level + 1), ...lines.slice(start + 1, end)];
}

/** The anchor that readers of Markdown give a heading. */
const slug = (heading) =>
  heading
    .replace(/^#+ /, '')
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
