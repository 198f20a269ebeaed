package org.svcmailbox.core.rendezvous.access;

import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.StoredToken;
import org.svcmailbox.core.settings.RendezvousSettings.StaticToken;

/** A token to compare requests with. Configured tokens have an empty id and never expire. */
@SuppressWarnings("ArrayRecordComponent") // Only MessageDigest.isEqual compares it.
record KnownToken(
    String id,
    byte[] digest,
    Set<Right> rights,
    @Nullable RecipientId mailbox,
    @Nullable Instant expires) {
  private static final Set<Right> BOTH = Set.copyOf(EnumSet.allOf(Right.class));

  static KnownToken of(StoredToken stored) {
    return new KnownToken(
        stored.id(),
        HexFormat.of().parseHex(stored.digest()),
        stored.rights(),
        stored.mailbox(),
        stored.expires());
  }

  static KnownToken of(StaticToken configured) {
    Optional<RecipientId> mailbox = configured.recipient().map(RecipientId::new);
    return new KnownToken("", TokenDigest.of(configured.token()), BOTH, mailbox.orElse(null), null);
  }

  /** A token that equals no other. */
  static KnownToken dummy() {
    return new KnownToken("", new byte[TokenDigest.of("").length], Set.of(), null, null);
  }

  boolean isStatic() {
    return id.isEmpty();
  }

  /** The owner of bodies read with this token; the same for all configured tokens. */
  String owner() {
    return "token:" + id;
  }

  boolean hasEnded(Instant now) {
    return expires != null && !now.isBefore(expires);
  }

  @Override
  public String toString() {
    return "KnownToken[" + id + "]";
  }
}
