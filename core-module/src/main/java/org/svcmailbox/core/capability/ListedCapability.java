package org.svcmailbox.core.capability;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A capability, or a root key that was revoked, as operators see it.
 *
 * @param subject which: {@code nonce:} or {@code key:}, and its nonce or id
 * @param keyId the root key, null where it is not known
 * @param minting how it was minted, null where that is not known any more
 * @param revokedAt when it was revoked, null if it was not
 */
public record ListedCapability(
    String subject,
    @Nullable String keyId,
    @Nullable Minting minting,
    @Nullable Instant revokedAt) {
  /** Before the subject of a capability. */
  public static final String NONCE = "nonce:";

  /** Before the subject of a key. */
  public static final String KEY = "key:";

  /** The capability's nonce, null for a key. */
  public @Nullable String nonce() {
    return subject.startsWith(NONCE) ? subject.substring(NONCE.length()) : null;
  }
}
