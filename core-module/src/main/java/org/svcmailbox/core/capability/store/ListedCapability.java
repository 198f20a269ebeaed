package org.svcmailbox.core.capability.store;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A capability, or a revoked root key, in a listing. {@code subject} is {@code nonce:} or {@code
 * key:} with the nonce or id.
 */
public record ListedCapability(
    String subject,
    @Nullable String keyId,
    @Nullable Minting minting,
    @Nullable Instant revokedAt) {
  /** The kinds of capabilities that a listing can be limited to. */
  public enum Kind {
    ALL,
    /** All but those of console sessions. */
    MINTED,
    /** Console sessions' alone. */
    CONSOLE;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final String NONCE = "nonce:";

  public static final String KEY = "key:";

  /** Null for a key. */
  public @Nullable String nonce() {
    return subject.startsWith(NONCE) ? subject.substring(NONCE.length()) : null;
  }
}
