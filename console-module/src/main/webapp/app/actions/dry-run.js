/** The dry run of a job: counts what it would affect. */
import { post } from '../api.js';
import { el, fill } from '../dom.js';
import { count, deadLetters } from '../format.js';
import { panel } from '../problem.js';

/**
 * Creates a dry run and its element.
 *
 * @param job the job's fields, without a note
 * @param counted takes the number of dead letters, and those by reason; 0 after a failure
 */
export function dryRun(jobs, job, counted) {
  const result = el('div.dry-run-result', { role: 'status' });
  const again = el(
    'button.pf-c-button.pf-m-link.pf-m-inline',
    { type: 'button', onclick: () => run() },
    'Repeat dry run',
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
      fill(result, el('strong', {}, `Dry run: ${deadLetters(total)}`), table(reasons));
      counted(total, reasons);
    } catch (error) {
      dry.total = 0;
      fill(result, panel(error));
      counted(0, {});
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
