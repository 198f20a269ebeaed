/** Pauses the deliveries of a topic after a confirmation, and resumes them. */
import { path, post } from '../api.js';
import { el, fill } from '../dom.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import { dialogButtons, openDialog } from './dialog.js';

/**
 * Opens the dialog.
 *
 * @param done called once the topic is paused
 */
export function pauseDialog(topic, done) {
  openDialog(`Pause ${topic}?`, (close) => {
    const failure = el('div');
    const pause = el(
      'button.pf-c-button.pf-m-primary',
      { type: 'submit', 'data-action': 'pause' },
      'Pause deliveries',
    );

    async function submit(event) {
      event.preventDefault();
      pause.disabled = true;
      try {
        await post(path('topics', topic, 'pause'));
        close();
        notice(`${topic} is paused.`);
        done();
      } catch (error) {
        fill(failure, panel(error));
      } finally {
        pause.disabled = false;
      }
    }

    return el(
      'form.pf-c-form.dialog-form',
      { onsubmit: submit },
      el(
        'p',
        {},
        'Consumers get no messages until somebody resumes the topic, also after a restart. ',
        'Messages are accepted, and those in flight can be acknowledged.',
      ),
      failure,
      dialogButtons(pause, close),
    );
  });
}

/** Resumes a topic. */
export async function resume(topic) {
  await post(path('topics', topic, 'resume'));
  notice(`${topic} is resumed.`);
}
