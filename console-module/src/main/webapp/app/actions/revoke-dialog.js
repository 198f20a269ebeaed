/** Revokes a capability after a confirmation. */
import { path } from '../api.js';
import { el } from '../dom.js';
import { visible } from '../format.js';
import { actionDialog } from './action-dialog.js';

/**
 * Opens the dialog.
 *
 * @param entry of the list of capabilities
 * @param revoked called once it is revoked
 */
export function revokeDialog(entry, revoked) {
  const name = visible(entry.note ?? entry.nonce);
  actionDialog({
    title: 'Revoke a capability?',
    label: 'Revoke',
    button: { 'data-action': 'revoke-now', autofocus: true },
    isDanger: true,
    parts: [
      el('p', {}, el('strong', {}, name), ' and everything narrowed from it ends for good. '),
      el('p', {}, 'Its holder can still acknowledge and return messages that it has leased.'),
    ],
    right: () => ({ op: 'revoke' }),
    request: () => ({
      method: 'POST',
      path: path('capabilities', 'revoke'),
      body: { nonce: entry.nonce },
    }),
    done() {
      revoked();
      return `${name} is revoked.`;
    },
  });
}
