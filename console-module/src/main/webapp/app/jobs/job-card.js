/** One job. Its parts are made once and told what changed, so that nothing jumps while one looks. */
import { path, post } from '../api.js';
import { el, fill } from '../dom.js';
import { count, letters, time, visible } from '../format.js';
import { inWords } from '../letters/filter.js';
import { panel } from '../problem.js';
import { href } from '../router.js';
import { mayAct } from '../session.js';
import { progressBar } from './progress-bar.js';

const UNFINISHED = ['running', 'paused'];
const COLORS = {
  running: 'pf-m-blue',
  paused: 'pf-m-orange',
  done: 'pf-m-green',
  failed: 'pf-m-red',
  cancelled: 'pf-m-grey',
};
const WORDS = { reprocess: 'Reprocess', discard: 'Discard' };

/** Whether more will happen. */
export const isUnfinished = (job) => UNFINISHED.includes(job.state);

export class JobCard {
  #state = el('span.pf-c-label__content');
  #label = el('span.pf-c-label', {}, this.#state);
  #buttons = el('div.job-buttons');
  #counts = el('p.job-counts');
  #waiting = el('p.job-waiting');
  #errors = el('div');
  #failure = el('div');
  #facts = el('div');
  #bar;
  #before = {};

  /**
   * A card.
   *
   * @param refresh called after something was done with the job
   * @param say takes words for the ear
   */
  constructor(job, refresh, say) {
    this.refresh = refresh;
    this.say = say;
    this.title = `${WORDS[job.action] ?? job.action} ${letters(job.total)} of ${job.topic}`;
    const id = `job-${job.job_id}`;
    this.#bar = progressBar(id);
    this.element = el(
      'li.pf-c-card.job',
      { 'data-job': job.job_id },
      el(
        'div.job-head',
        {},
        el(
          'h2.pf-c-title.pf-m-lg',
          { id },
          el('a', { href: href(['jobs', job.job_id]) }, this.title),
        ),
        this.#label,
        this.#buttons,
      ),
      this.#failure,
      this.#bar.element,
      this.#counts,
      this.#waiting,
      el('details', {}, el('summary', {}, 'More about it'), this.#facts),
      this.#errors,
    );
  }

  /** Shows the job as it is now. */
  tell(job) {
    const over = job.done + job.failed + job.gone;
    this.#bar.tell(over, job.total);
    this.#counts.textContent = [
      `${count(job.done)} of ${count(job.total)} done`,
      `${count(job.failed)} failed`,
      `${count(job.gone)} gone before`,
    ].join(', ');
    this.#waiting.textContent = [
      job.waiting_for && `Waiting: ${visible(job.waiting_for)}`,
      visible(job.ended_because),
    ]
      .filter(Boolean)
      .join(' ');
    this.#tellState(job);
    this.#tellErrors(job);
    this.#tellFacts(job);
    this.#before = job;
  }

  #tellState(job) {
    if (this.#before.state === job.state) {
      this.#sayProgress(job);
      return;
    }
    this.#state.textContent = job.state;
    this.#label.className = `pf-c-label ${COLORS[job.state] ?? ''}`;
    this.element.dataset.state = job.state;
    this.#drawButtons(job);
    if (this.#before.state !== undefined) {
      this.say(`${this.title}: ${job.state}, ${count(job.done)} done`);
    }
  }

  /** Each tenth, and not each step. */
  #sayProgress(job) {
    const tenth = ({ done, failed, gone, total }) =>
      Math.floor((10 * (done + failed + gone)) / Math.max(1, total));
    if (job.state === 'running' && tenth(job) > tenth(this.#before)) {
      this.say(`${this.title}: ${tenth(job) * 10} percent`);
    }
  }

  #drawButtons(job) {
    const hadFocus = this.#buttons.contains(document.activeElement);
    fill(
      this.#buttons,
      mayAct() && [
        job.state === 'running' && this.#button(job, 'pause', 'Pause', 'pf-m-secondary'),
        job.state === 'paused' && this.#button(job, 'resume', 'Resume', 'pf-m-secondary'),
        isUnfinished(job) && this.#button(job, 'cancel', 'Cancel', 'pf-m-danger'),
      ],
    );
    if (hadFocus) {
      (this.#buttons.querySelector('button') ?? this.element.querySelector('a')).focus();
    }
  }

  #button(job, step, label, kind) {
    return el(
      `button.pf-c-button.${kind}.pf-m-small`,
      {
        type: 'button',
        'aria-label': `${label}: ${this.title}`,
        'data-action': step,
        onclick: () => this.#step(job, step),
      },
      label,
    );
  }

  async #step(job, step) {
    try {
      await post(path('jobs', job.job_id, step));
      this.#failure.replaceChildren();
      this.refresh();
    } catch (error) {
      fill(this.#failure, panel(error));
    }
  }

  #tellErrors({ errors, errors_dropped: dropped, topic }) {
    if (
      errors.length === (this.#before.errors?.length ?? 0) &&
      dropped === this.#before.errors_dropped
    ) {
      return;
    }
    const isOpen = this.#errors.querySelector('details')?.open ?? false;
    fill(
      this.#errors,
      errors.length > 0 &&
        el(
          'details',
          { open: isOpen },
          el('summary', {}, `${count(errors.length + dropped)} errors`),
          el(
            'ul.job-errors',
            {},
            errors.map((error) => failed(topic, error)),
          ),
          dropped > 0 && el('p', {}, `${count(dropped)} more are not kept.`),
        ),
    );
  }

  #tellFacts(job) {
    if (this.#before.updated_at === job.updated_at && this.#before.state === job.state) {
      return;
    }
    fill(
      this.#facts,
      el(
        'dl.facts',
        {},
        [
          [
            'Which',
            job.filter === undefined
              ? `${count(job.msg_ids_count)} picked letters`
              : inWords(job.filter),
          ],
          [
            'By reason',
            Object.entries(job.by_reason ?? {})
              .map(([reason, number]) => `${reason}: ${count(number)}`)
              .join(', '),
          ],
          ['To', job.to_topic ?? (job.action === 'reprocess' ? 'where they came from' : '')],
          ['At most', `${count(job.rate_per_s)} a second`],
          ['Note', visible(job.note)],
          ['Begun by', visible(job.started_by)],
          ['Begun', time(job.started_at)],
          ['Ended', job.finished_at && time(job.finished_at)],
        ]
          .filter(([, value]) => value)
          .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
      ),
    );
  }
}

function failed(topic, { msg_id: id, detail }) {
  const link = href(['topics', topic, 'letters'], new URLSearchParams({ letter: id }));
  return el('li', {}, el('a', { href: link }, id), ': ', visible(detail));
}
