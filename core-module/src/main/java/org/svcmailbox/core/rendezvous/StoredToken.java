package org.svcmailbox.core.rendezvous;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A token as it is kept: its digest, never the token.
 *
 * @param id 16 lower-case hex digits
 * @param digest SHA-256 of the token's characters in ASCII, 64 lower-case hex digits
 * @param rights at least one
 * @param mailbox the only mailbox it is good for; null for all of them
 * @param expires when it ends; null when it does not
 * @param note what the operator wrote about it, may be empty
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

  /** The same token with another end. */
  public StoredToken endingAt(Instant end) {
    return new StoredToken(id, digest, rights, mailbox, created, end, note);
  }

  /** Whether it is good no longer. */
  public boolean hasEnded(Instant now) {
    return expires != null && !now.isBefore(expires);
  }

  /** Without the digest. */
  @Override
  public String toString() {
    return "StoredToken[" + id + "]";
  }
}
