/** A job's card. Its elements are created once and updated in place, so the layout stays still. */
import { path, post } from '../api.js';
import { labelled, rateField } from '../actions/dialog.js';
import { el, fill } from '../dom.js';
import { actor, count, deadLetters, duration, time, visible } from '../format.js';
import { describe } from '../letters/filter.js';
import { panel } from '../problem.js';
import { href } from '../router.js';
import { isOperator } from '../session.js';
import { progressBar } from './progress-bar.js';

const UNFINISHED = ['running', 'paused'];
const COLORS = {
  running: 'pf-m-blue',
  paused: 'pf-m-orange',
  done: 'pf-m-green',
  failed: 'pf-m-red',
  cancelled: 'pf-m-grey',
};
const NAMES = { reprocess: 'Redrive', discard: 'Discard' };

/** Whether the job can still make progress. */
export const isUnfinished = (job) => UNFINISHED.includes(job.state);

export class JobCard {
  #state = el('span.pf-c-label__content');
  #label = el('span.pf-c-label', {}, this.#state);
  #buttons = el('div.job-buttons');
  #counted = el('span');
  #again = el('span');
  #waiting = el('p.job-waiting');
  #errors = el('div');
  #failure = el('div');
  #details = el('div');
  #rate = rateField({ name: 'rate_per_s' });
  #rateForm;
  #bar;
  #previous = {};

  /**
   * Creates the card of a job.
   *
   * @param refresh called after a change of the job's state
   * @param announce takes progress messages for screen readers
   */
  constructor(job, refresh, announce) {
    this.refresh = refresh;
    this.announce = announce;
    this.title = `${NAMES[job.action] ?? job.action} ${deadLetters(job.total)} of ${job.topic}`;
    const id = `job-${job.job_id}`;
    this.#bar = progressBar(id);
    this.#rateForm = el(
      'form.job-rate',
      { hidden: true, onsubmit: (event) => this.#changeRate(event, job.job_id) },
      labelled('Letters per second', this.#rate),
      el(
        'button.pf-c-button.pf-m-secondary.pf-m-small',
        { type: 'submit', 'aria-label': `Change rate: ${this.title}` },
        'Change',
      ),
    );
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
      el('p.job-counts', {}, this.#counted, this.#again),
      patterns(job),
      this.#waiting,
      this.#rateForm,
      this.#details,
      this.#errors,
    );
  }

  /** Shows the job's current state. */
  update(job) {
    const finished = job.done + job.failed + job.gone;
    this.#bar.update(finished, job.total);
    const counts = [
      `${count(job.done)} of ${count(job.total)} done`,
      `${count(job.failed)} failed`,
      `${count(job.gone)} already gone`,
      ...(isUnfinished(job) ? [`${count(job.left)} left`] : []),
    ].join(', ');
    this.#updateCounts(job, counts);
    this.#waiting.textContent = [
      timeLeft(job),
      job.paused_because === 'first' &&
        'The first letters are done. Look at their consumer, then resume the job for the rest.',
      job.waiting_for && `Waiting: ${visible(job.waiting_for)}`,
      visible(job.ended_because),
      visible(job.advice),
    ]
      .filter(Boolean)
      .join(' ');
    this.#updateState(job);
    this.#updateErrors(job);
    this.#updateDetails(job);
    this.#updateRate(job);
    this.#previous = job;
  }

  #updateState(job) {
    if (this.#previous.state === job.state) {
      this.#announceProgress(job);
      return;
    }
    this.#state.textContent = job.state;
    this.#label.className = `pf-c-label ${COLORS[job.state] ?? ''}`;
    this.element.dataset.state = job.state;
    this.#drawButtons(job);
    if (this.#previous.state !== undefined) {
      this.announce(`${this.title}: ${job.state}, ${count(job.done)} done`);
    }
  }

  /** Announces every ten percent only. */
  #announceProgress(job) {
    const tenth = ({ done, failed, gone, total }) =>
      Math.floor((10 * (done + failed + gone)) / Math.max(1, total));
    if (job.state === 'running' && tenth(job) > tenth(this.#previous)) {
      this.announce(`${this.title}: ${tenth(job) * 10} percent`);
    }
  }

  #drawButtons(job) {
    const hadFocus = this.#buttons.contains(document.activeElement);
    fill(
      this.#buttons,
      isOperator() && [
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

  /** Keeps the link while its number stays, so that it keeps the focus. */
  #updateCounts({ topic, to_topic: target, job_id: job, dead_again: again }, counts) {
    this.#counted.textContent = counts;
    if (again !== undefined && this.#previous.dead_again !== again) {
      const query = new URLSearchParams({ job });
      fill(
        this.#again,
        ', ',
        again === 0
          ? '0 dead again'
          : el(
              'a',
              { href: href(['topics', target ?? topic, 'letters'], query) },
              `${count(again)} dead again`,
            ),
      );
    }
  }

  /** Keeps what somebody is typing. */
  #updateRate(job) {
    this.#rateForm.hidden = !isOperator() || !isUnfinished(job);
    if (this.#previous.rate_per_s !== job.rate_per_s) {
      this.#rate.value = String(job.rate_per_s);
    }
  }

  async #changeRate(event, id) {
    event.preventDefault();
    try {
      await post(path('jobs', id, 'rate'), { rate_per_s: Number(this.#rate.value) });
      this.#failure.replaceChildren();
      this.announce(`${this.title}: ${count(Number(this.#rate.value))} per second`);
      this.refresh();
    } catch (error) {
      fill(this.#failure, panel(error));
    }
  }

  #updateErrors({ errors, errors_dropped: dropped, topic }) {
    if (
      errors.length === (this.#previous.errors?.length ?? 0) &&
      dropped === this.#previous.errors_dropped
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
          dropped > 0 && el('p', {}, `${count(dropped)} more were not kept.`),
        ),
    );
  }

  #updateDetails(job) {
    if (
      this.#previous.updated_at === job.updated_at &&
      this.#previous.state === job.state &&
      this.#previous.rate_per_s === job.rate_per_s
    ) {
      return;
    }
    fill(
      this.#details,
      el(
        'dl.facts',
        {},
        [
          [
            'Selection',
            job.filter === undefined
              ? `${deadLetters(job.msg_ids_count)} by id`
              : describe(job.filter),
          ],
          [
            'By reason',
            Object.entries(job.by_reason ?? {})
              .map(([reason, number]) => `${reason}: ${count(number)}`)
              .join(', '),
          ],
          ['Target topic', job.to_topic ?? (job.action === 'reprocess' ? job.topic : '')],
          ['New time to live', job.ttl_ms && duration(job.ttl_ms)],
          ['Rate limit', `${count(job.rate_per_s)} per second`],
          ['Audit note', visible(job.note)],
          ['Started by', actor(job.started_by, job.started_by_name)],
          ['Started', time(job.started_at)],
          ['Finished', job.finished_at && time(job.finished_at)],
        ]
          .filter(([, value]) => value)
          .map(([name, value]) => el('div', {}, el('dt', {}, name), el('dd', {}, value))),
      ),
    );
  }
}

/** The error texts that it began with, largest groups first; they never change. */
function patterns({ patterns: texts = [] }) {
  return (
    texts.length > 0 &&
    el(
      'ul.job-patterns',
      { 'aria-label': 'Error texts' },
      texts.map((text) => el('li', {}, visible(text))),
    )
  );
}

/** A job that waits takes longer than its rate says. */
function timeLeft(job) {
  return (
    job.seconds_left > 0 &&
    !job.waiting_for &&
    `About ${duration(1000 * job.seconds_left)} left at ${count(job.rate_per_s)} per second.`
  );
}

function failed(topic, { msg_id: id, detail }) {
  const link = href(['topics', topic, 'letters'], new URLSearchParams({ letter: id }));
  return el('li', {}, el('a', { href: link }, id), ': ', visible(detail));
}
