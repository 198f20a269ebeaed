/**
 * The dialog that redrives or discards dead letters: dry run, rate, audit note, then the job. An
 * action on everything that matches the filter requires the topic's name as confirmation.
 */
import { path, post } from '../api.js';
import { copyButton } from '../clipboard.js';
import { curl } from '../curl.js';
import { el, fill } from '../dom.js';
import { count, deadLetters, visible } from '../format.js';
import { describe, isEmpty, toJob } from '../letters/filter.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import { href } from '../router.js';
import { dryRun } from './dry-run.js';
import {
  dialogButtons,
  field,
  labelled,
  noteField,
  openDialog,
  rateField,
  topicField,
  ttlField,
  ttlOf,
} from './dialog.js';

const DEFAULT_RATES = { reprocess: 5, discard: 500 };
const DEFAULT_FIRST = 3;
const NAMES = { reprocess: 'Redrive', discard: 'Discard' };

/**
 * Opens the dialog.
 *
 * @param scope `{topic, action, ids, filter, patterns}`; null `ids` select everything that matches the
 *     filter, whose error groups have these texts
 * @param done called once the job has started
 */
export function bulkDialog({ topic, action, ids, filter, patterns }, done) {
  const selector = ids === null ? { filter: toJob(filter) } : { msg_ids: ids };
  const jobs = path('dlq', topic, 'jobs');

  openDialog(`${NAMES[action]} dead letters of ${topic}`, (close) => {
    const note = noteField();
    const rate = rateField({ value: String(DEFAULT_RATES[action]), name: 'rate' });
    const first = field('input', {
      type: 'number',
      min: '1',
      max: '100',
      value: String(DEFAULT_FIRST),
      name: 'first',
    });
    const target = topicField();
    const ttl = ttlField();
    const expiring = el('p.warning', { role: 'status' });
    let expired = 0;
    const confirmation = field('input', { type: 'text', name: 'confirm' });
    const failure = el('div');
    const start = el(
      `button.pf-c-button.${action === 'discard' ? 'pf-m-danger' : 'pf-m-primary'}`,
      { type: 'submit', disabled: true, 'data-action': 'start' },
      NAMES[action],
    );
    const dry = dryRun(jobs, { action, ...selector }, (total, reasons) => {
      expired = action === 'reprocess' ? (reasons.expired ?? 0) : 0;
      start.textContent = `${NAMES[action]} ${deadLetters(total)}`;
      check();
    });

    function check() {
      expiring.textContent = expired > 0 && ttl.value === '' ? expireAgain(expired) : '';
      const isConfirmed = ids !== null || confirmation.value === topic;
      start.disabled = !(
        dry.total > 0 &&
        isConfirmed &&
        form.checkValidity() &&
        note.value.trim() !== ''
      );
    }

    const body = () => ({
      action,
      ...selector,
      rate_per_s: Number(rate.value),
      ...(action === 'reprocess' && first.value !== '' ? { first: Number(first.value) } : {}),
      ...(target.value === '' ? {} : { to_topic: target.value }),
      ...ttlOf(ttl),
      note: note.value.trim(),
    });

    async function send(event) {
      event.preventDefault();
      start.disabled = true;
      try {
        const job = await post(jobs, body());
        close();
        notice(
          `${NAMES[action]} job started for ${deadLetters(job.total)}. `,
          el('a', { href: href(['jobs', job.job_id]) }, 'View job'),
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
      patterns.length > 0 &&
        el('ul', {}, patterns.map((pattern) => el('li', {}, el('code', {}, visible(pattern))))),
      dry.element,
      action === 'reprocess' &&
        labelled(
          'Target topic (optional)',
          target,
          'Default: this topic. Attempts are counted from 1 again.',
        ),
      action === 'reprocess' &&
        labelled(
          'New time to live in seconds (optional)',
          ttl,
          "Default: each letter's own, or the topic's retention_ready. It begins when the letter returns.",
        ),
      expiring,
      action === 'discard' &&
        el(
          'p.warning',
          {},
          'Discarded dead letters cannot be recovered. Their keys stay taken for the rest of t_replay.',
        ),
      labelled(
        'Rate limit (per second)',
        rate,
        'Start low until you know that the consumer keeps up. It can be changed while the job runs.',
      ),
      action === 'reprocess' &&
        labelled(
          'First letters, then pause (optional)',
          first,
          'The job waits after so many until you resume it. Empty: no pause.',
        ),
      labelled('Audit note', note),
      ids === null &&
        labelled(
          `Type ${topic} to confirm`,
          confirmation,
          'Required: the action applies to every match.',
        ),
      failure,
      dialogButtons(
        start,
        close,
        copyButton('Copy as curl', () => curl('POST', jobs, body())),
      ),
    );
    dry.run();
    return form;
  });
}

const expireAgain = (expired) =>
  `${count(expired)} expired: not settled in time. Without a new time to live they have ` +
  'their old one again, and expire again if nobody receives them by then.';

function scope(ids, filter) {
  if (ids !== null) {
    return ids.length === 1 ? `Dead letter ${ids[0]}.` : `${deadLetters(ids.length)} selected.`;
  }
  return isEmpty(filter)
    ? 'All current dead letters of the topic.'
    : `All current dead letters that match ${describe(filter)}.`;
}
