package org.svcmailbox.rendezvous;

import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.rendezvous.RendezvousService;

/**
 * Tells the listener the owner of a body, from a request's path and {@code Authorization}. Only
 * mailboxes have bodies. Any thread.
 */
final class MailboxOwners {
  private final RendezvousService service;
  private volatile @Nullable RendezvousService open;

  MailboxOwners(RendezvousService service) {
    this.service = service;
  }

  /** Never blocks; null if only {@link #find} can tell. */
  @Nullable String known(String path, @Nullable String header) {
    BodyOwners owners = owners(open, path);
    return owners == null ? null : owners.known(BearerToken.of(header));
  }

  /** May block; null for a request that will be refused. */
  @Nullable String find(String path, @Nullable String header) {
    RendezvousService plain = service.plain();
    if (plain.settings().isEmpty()) {
      return null;
    }
    open = plain;
    BodyOwners owners = owners(plain, path);
    return owners == null ? null : owners.find(BearerToken.of(header));
  }

  private static @Nullable BodyOwners owners(@Nullable RendezvousService known, String path) {
    return known != null && Route.of(path, "") instanceof Route.Mailbox mailbox
        ? known.bodyOwners(mailbox.recipient())
        : null;
  }
}
