/**
 * Reprocess or discard many letters: first what it would be, then why and how fast, and only then the
 * job. Who means every letter that matches writes the topic's name.
 */
import { path, post } from '../api.js';
import { copyButton } from '../clipboard.js';
import { curl } from '../curl.js';
import { el, fill } from '../dom.js';
import { letters } from '../format.js';
import { inWords, isEverything, toJob } from '../letters/filter.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import { href } from '../router.js';
import { dryRun } from './dry-run.js';
import { field, labelled, noteField, openDialog, topicField } from './dialog.js';

const RATE = 500;
const NAMES = { reprocess: 'Reprocess', discard: 'Discard' };

/**
 * Opens the dialog.
 *
 * @param scope `{topic, action, ids, filter}`; `ids` is null for all that the filter finds
 * @param done called when a job was begun
 */
export function bulkDialog({ topic, action, ids, filter }, done) {
  const what = ids === null ? { filter: toJob(filter) } : { msg_ids: ids };
  const jobs = path('dlq', topic, 'jobs');

  openDialog(`${NAMES[action]} dead letters of ${topic}`, (close) => {
    const note = noteField();
    const rate = field('input', {
      type: 'number',
      min: '1',
      max: '10000',
      required: true,
      value: String(RATE),
      name: 'rate',
    });
    const target = topicField();
    const typed = field('input', { type: 'text', name: 'confirm' });
    const failure = el('div');
    const begin = el(
      `button.pf-c-button.${action === 'discard' ? 'pf-m-danger' : 'pf-m-primary'}`,
      { type: 'submit', disabled: true, 'data-action': 'begin' },
      NAMES[action],
    );
    const dry = dryRun(jobs, { action, ...what }, (total) => {
      begin.textContent = `${NAMES[action]} ${letters(total)}`;
      check();
    });

    function check() {
      const isConfirmed = ids !== null || typed.value === topic;
      begin.disabled = !(
        dry.total > 0 &&
        isConfirmed &&
        form.checkValidity() &&
        note.value.trim() !== ''
      );
    }

    const body = () => ({
      action,
      ...what,
      rate_per_s: Number(rate.value),
      ...(target.value === '' ? {} : { to_topic: target.value }),
      note: note.value.trim(),
    });

    async function send(event) {
      event.preventDefault();
      begin.disabled = true;
      try {
        const job = await post(jobs, body());
        close();
        notice(
          `${NAMES[action]}: the job for ${letters(job.total)} has begun. `,
          el('a', { href: href(['jobs', job.job_id]) }, 'See how it goes'),
        );
        done();
      } catch (error) {
        fill(failure, panel(error));
        check();
      }
    }

    const form = el(
      'form.pf-c-form.dialog-form',
      { oninput: check, onsubmit: send },
      el('p', { 'data-scope': ids === null ? 'filter' : 'ids' }, scope(ids, filter)),
      dry.element,
      action === 'reprocess' &&
        labelled(
          'To another topic',
          target,
          'Empty: each goes back to this one. It begins anew, with no delivery spent.',
        ),
      action === 'discard' && el('p.warning', {}, 'Discarded letters are gone for good.'),
      labelled(
        'Letters a second',
        rate,
        'Begin slowly when you do not know whether the consumer is well.',
      ),
      labelled('Note for the audit', note),
      ids === null &&
        labelled(`Type ${topic} to confirm`, typed, 'Because this is every letter that matches.'),
      failure,
      el(
        'div.dialog-buttons',
        {},
        begin,
        el('button.pf-c-button.pf-m-secondary', { type: 'button', onclick: close }, 'Cancel'),
        copyButton('Copy as curl', () => curl('POST', jobs, body())),
      ),
    );
    dry.run();
    return form;
  });
}

function scope(ids, filter) {
  if (ids !== null) {
    return ids.length === 1
      ? `The letter ${ids[0]}.`
      : `The ${letters(ids.length)} that you picked.`;
  }
  return isEverything(filter)
    ? 'Every letter of the topic that is there now.'
    : `Every letter that is there now with: ${inWords(filter)}.`;
}
