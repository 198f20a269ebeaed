/** Revokes a capability after a confirmation. */
import { path } from '../api.js';
import { el, freshId } from '../dom.js';
import { count, visible } from '../format.js';
import { actionDialog } from './action-dialog.js';

/**
 * Opens the dialog.
 *
 * @param entry of the list of capabilities
 * @param revoked called once it is revoked
 */
export function revokeDialog(entry, revoked) {
  const name = visible(entry.note ?? entry.nonce);
  const release = el('input', { type: 'checkbox', id: freshId('release'), checked: true });
  actionDialog({
    title: 'Revoke a capability?',
    label: 'Revoke',
    button: { 'data-action': 'revoke-now', autofocus: true },
    isDanger: true,
    parts: [
      el('p', {}, el('strong', {}, name), ' and everything narrowed from it ends for good. '),
      el(
        'div.dialog-check',
        {},
        release,
        el('label', { for: release.id }, `and release its leases${held(entry.leases)}`),
      ),
      el(
        'p.field-help',
        {},
        'Released messages are ready for other consumers at once. Otherwise its holder can still ',
        'acknowledge and return them until their leases end.',
      ),
    ],
    right: () => ({ op: 'revoke' }),
    request: () => ({
      method: 'POST',
      path: path('capabilities', 'revoke'),
      body: { nonce: entry.nonce, release_leases: release.checked },
    }),
    done({ released }) {
      revoked();
      return released === undefined
        ? `${name} is revoked.`
        : `${name} is revoked. ${leases(released)} released.`;
    },
  });
}

const leases = (number) => (number === 1 ? '1 lease' : `${count(number)} leases`);

const held = (number) => (number === undefined ? '' : ` (${count(number)})`);
