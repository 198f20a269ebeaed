/** What a job would be, before there is one. */
import { post } from '../api.js';
import { el, fill } from '../dom.js';
import { count, letters } from '../format.js';
import { panel } from '../problem.js';

/**
 * A dry run and its place on the page.
 *
 * @param job the job's fields, without a note
 * @param counted takes how many letters it would be
 */
export function dryRun(jobs, job, counted) {
  const result = el('div.dry-run-result', { role: 'status' });
  const again = el(
    'button.pf-c-button.pf-m-link.pf-m-inline',
    { type: 'button', onclick: () => run() },
    'Count again',
  );
  const dry = {
    element: el('section.dry-run', { 'aria-label': 'Dry run' }, result, again),
    total: 0,
    run,
  };

  async function run() {
    fill(result, 'Counting \u2026');
    try {
      const { total, by_reason: reasons } = await post(jobs, { ...job, dry_run: true });
      dry.total = total;
      fill(result, el('strong', {}, `Dry run: ${letters(total)}`), table(reasons));
      counted(total);
    } catch (error) {
      dry.total = 0;
      fill(result, panel(error));
      counted(0);
    }
  }

  return dry;
}

function table(reasons) {
  return el(
    'ul',
    {},
    Object.entries(reasons).map(([reason, number]) => el('li', {}, `${reason}: ${count(number)}`)),
  );
}
