/** Warns before a session ends. Closing the dialog keeps the session. */
import { el } from '../dom.js';
import { notice } from '../notices.js';
import { isSessionEnding, onSessionEnding, renew } from '../session.js';
import { openDialog } from './dialog.js';

/** Warns from now on. */
export function warnBeforeSessionEnds() {
  let dialog = null;
  onSessionEnding((isEnding) => {
    if (isEnding) {
      dialog = openDialog('Your session is about to end', content);
      dialog.addEventListener('close', stay);
    } else {
      dialog?.removeEventListener('close', stay);
      dialog?.close();
      dialog = null;
    }
  });
}

/** The close button, or any other way out of the dialog, was the user's activity. */
async function stay() {
  try {
    await renew();
  } catch {
    // The banner tells that the server does not answer.
    return;
  }
  if (isSessionEnding()) {
    notice('Your session has reached its greatest length, and ends within two minutes.');
  }
}

const content = (close) =>
  el(
    'div.dialog-form',
    {},
    el('p', {}, 'You have not used the console for a while. Within two minutes it signs you out.'),
    el(
      'div.dialog-buttons',
      {},
      el(
        'button.pf-c-button.pf-m-primary',
        { type: 'button', 'data-action': 'stay', autofocus: true, onclick: close },
        'Stay signed in',
      ),
    ),
  );
