package org.svcmailbox.core.rendezvous;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A stored token: its digest, never the secret.
 *
 * @param id 16 lower-case hex digits
 * @param digest SHA-256 of the token in ASCII, 64 lower-case hex digits
 * @param mailbox null for all mailboxes
 * @param expires null for never
 */
public record StoredToken(
    String id,
    String digest,
    Set<Right> rights,
    @Nullable RecipientId mailbox,
    Instant created,
    @Nullable Instant expires,
    String note) {
  public StoredToken {
    rights = Set.copyOf(rights);
  }

  public StoredToken endingAt(Instant end) {
    return new StoredToken(id, digest, rights, mailbox, created, end, note);
  }

  public boolean hasEnded(Instant now) {
    return expires != null && !now.isBefore(expires);
  }

  /** Omits the digest. */
  @Override
  public String toString() {
    return "StoredToken[" + id + "]";
  }
}
