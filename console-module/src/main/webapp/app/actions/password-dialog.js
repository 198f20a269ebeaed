/** The dialog in which users change their own password. */
import { el, fill } from '../dom.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import { changePassword, currentUser } from '../session.js';
import { dialogButtons, field, labelled, openDialog } from './dialog.js';

/** The rule of the server, which enforces it. */
const MIN_LENGTH = '12';

/** Opens the dialog. */
export function passwordDialog() {
  openDialog('Change password', (close) => {
    const current = passwordField('current', 'current-password');
    const next = passwordField('next', 'new-password', { minlength: MIN_LENGTH });
    const again = passwordField('again', 'new-password');
    const failure = el('div');
    const change = el(
      'button.pf-c-button.pf-m-primary',
      { type: 'submit', 'data-action': 'change-password' },
      'Change password',
    );

    function check() {
      const isSame = again.value === next.value;
      again.setCustomValidity(isSame ? '' : 'This is not the same new password.');
    }

    async function submit(event) {
      event.preventDefault();
      change.disabled = true;
      try {
        await changePassword(current.value, next.value);
        close();
        notice('Your password is changed. Your other sessions have ended.');
      } catch (error) {
        fill(failure, panel(error));
        if (currentUser() === null) {
          close();
        }
      } finally {
        change.disabled = false;
      }
    }

    return el(
      'form.pf-c-form.dialog-form',
      { oninput: check, onsubmit: submit },
      accountField(),
      labelled('Current password', current),
      labelled('New password', next, 'At least 12 characters.'),
      labelled('New password again', again),
      failure,
      dialogButtons(change, close),
    );
  });
}

/** Tells password managers the account of a password. */
export const accountField = () =>
  el('input', {
    type: 'text',
    name: 'username',
    autocomplete: 'username',
    value: currentUser().user,
    hidden: true,
  });

/** A password; `autocomplete` tells password managers which one. */
export const passwordField = (name, autocomplete, more = {}) =>
  field('input', {
    type: 'password',
    name,
    autocomplete,
    required: true,
    maxlength: '1000',
    ...more,
  });
