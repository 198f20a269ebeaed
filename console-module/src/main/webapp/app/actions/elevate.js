/**
 * Calls that need more than the session's capability. An administrator gets one for a minute, for
 * one operation and one topic. Call these only after the user's confirmation.
 */
import { callWith } from '../api.js';
import { el, fill } from '../dom.js';
import { panel } from '../problem.js';
import { command, confirmation, confirmUrl, currentUser } from '../session.js';
import { dialogButtons, labelled, openDialog } from './dialog.js';
import { accountField, passwordField } from './password-dialog.js';

/**
 * Makes one call of the API with an elevated capability. Asks for the password first if the sign-in
 * is too long ago.
 *
 * @param right `{op: 'admin' | 'send', topic}`, or `{op: 'revoke'}`
 * @param request `{method, path, body, headers}`, `body` as an object
 * @returns the response; null if the user did not confirm
 */
export async function callElevated(right, request) {
  const elevated = await stepUp('elevate', right);
  return elevated === null ? null : callWith(elevated.capability, request);
}

/**
 * Makes a call of the session that wants a recent sign-in, and asks for the password if need be.
 *
 * @returns the parsed response; null if the user did not confirm
 */
export async function stepUp(action, body) {
  try {
    return await command(action, body);
  } catch (problem) {
    if (problem.reason !== 'confirm') {
      throw problem;
    }
  }
  return (await confirmed()) ? command(action, body) : null;
}

/** Resolves to whether the user confirmed. */
function confirmed() {
  return new Promise((resolve) => {
    let isConfirmed = false;
    const succeed = () => (isConfirmed = true);
    const dialog = openDialog('Confirm that it is you', (close) =>
      confirmation() === 'provider' ? byProvider(close) : byPassword(close, succeed),
    );
    dialog.addEventListener('close', () => resolve(isConfirmed));
  });
}

function byPassword(close, succeed) {
  const password = passwordField('password', 'current-password', { autofocus: true });
  const failure = el('div');
  const confirm = el(
    'button.pf-c-button.pf-m-primary',
    { type: 'submit', 'data-action': 'confirm' },
    'Confirm',
  );

  async function submit(event) {
    event.preventDefault();
    confirm.disabled = true;
    try {
      await command('confirm', { password: password.value });
      succeed();
      close();
    } catch (error) {
      fill(failure, panel(error));
      password.value = '';
      password.focus();
      if (currentUser() === null) {
        close();
      }
    } finally {
      confirm.disabled = false;
    }
  }

  return el(
    'form.pf-c-form.dialog-form',
    { onsubmit: submit },
    el('p', {}, 'Your sign-in is too long ago for this.'),
    accountField(),
    labelled('Password', password),
    failure,
    dialogButtons(confirm, close),
  );
}

function byProvider(close) {
  return el(
    'div.dialog-form',
    {},
    el(
      'p',
      {},
      'Your sign-in is too long ago for this. Sign in again at your identity provider, and then ',
      'repeat the action. What you entered here is lost.',
    ),
    dialogButtons(
      el(
        'a.pf-c-button.pf-m-primary',
        { href: confirmUrl(), 'data-action': 'confirm', autofocus: true },
        'Sign in again',
      ),
      close,
    ),
  );
}
