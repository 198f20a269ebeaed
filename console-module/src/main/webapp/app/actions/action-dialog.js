/** A dialog for one action of an administrator. */
import { el, fill } from '../dom.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import { dialogButtons, openDialog } from './dialog.js';
import { callElevated } from './elevate.js';

/**
 * Opens the dialog. It stays open while the action fails.
 *
 * @param title asks the question
 * @param label of the button that begins; `button` has more of its attributes
 * @param parts returns the fields and texts; `isReady`, if any, tells whether the button is enabled
 * @param right for `callElevated`; a function of nothing, read at the click
 * @param request for `callElevated`; a function of nothing, read at the click
 * @param done takes the parsed response and returns the notice
 * @param failed handles an error instead of the dialog, unless it returns null; what it returns is
 *     called once the dialog is closed, which moves the focus
 */
export function actionDialog({
  title,
  label,
  button = {},
  isDanger = false,
  parts,
  isReady = () => true,
  right,
  request,
  done,
  failed = () => null,
}) {
  openDialog(title, (close) => {
    const failure = el('div');
    const start = el(
      `button.pf-c-button.${isDanger ? 'pf-m-danger' : 'pf-m-primary'}`,
      { type: 'submit', 'data-action': 'start', ...button },
      label,
    );
    let isRunning = false;

    function check() {
      start.disabled = isRunning || !form.checkValidity() || !isReady();
    }

    async function submit(event) {
      event.preventDefault();
      isRunning = true;
      check();
      try {
        const response = await callElevated(right(), request());
        if (response !== null) {
          const body = await response.json();
          close();
          notice(done(body));
        }
      } catch (error) {
        const then = failed(error);
        if (then === null) {
          fill(failure, panel(error));
        } else {
          close();
          then();
        }
      } finally {
        isRunning = false;
        check();
      }
    }

    const form = el(
      'form.pf-c-form.dialog-form',
      { oninput: check, onsubmit: submit },
      parts,
      failure,
      dialogButtons(start, close),
    );
    check();
    return form;
  });
}
