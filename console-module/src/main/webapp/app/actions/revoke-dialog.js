/** Revokes a capability after a confirmation. */
import { el, fill } from '../dom.js';
import { visible } from '../format.js';
import { notice } from '../notices.js';
import { panel } from '../problem.js';
import { dialogButtons, openDialog } from './dialog.js';
import { callElevated } from './elevate.js';

/**
 * Opens the dialog.
 *
 * @param entry of the list of capabilities
 * @param done called once it is revoked
 */
export function revokeDialog(entry, done) {
  const name = visible(entry.note ?? entry.nonce);
  openDialog('Revoke a capability?', (close) => {
    const failure = el('div');
    const revoke = el(
      'button.pf-c-button.pf-m-danger',
      { type: 'submit', 'data-action': 'revoke-now', autofocus: true },
      'Revoke',
    );

    async function submit(event) {
      event.preventDefault();
      revoke.disabled = true;
      try {
        const request = { path: '/v1/capabilities/revoke', method: 'POST', body: { nonce: entry.nonce } };
        if ((await callElevated({ op: 'revoke' }, request)) !== null) {
          close();
          notice(`${name} is revoked.`);
          done();
        }
      } catch (error) {
        fill(failure, panel(error));
      } finally {
        revoke.disabled = false;
      }
    }

    return el(
      'form.pf-c-form.dialog-form',
      { onsubmit: submit },
      el('p', {}, el('strong', {}, name), ' and everything narrowed from it ends for good. '),
      el('p', {}, 'Its holder can still acknowledge and return messages that it has leased.'),
      failure,
      dialogButtons(revoke, close),
    );
  });
}
