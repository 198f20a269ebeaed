package org.svcmailbox.core.capability;

/** What was revoked. */
@FunctionalInterface
public interface Revocations {
  /**
   * Whether this capability was revoked, by its nonce or with its root key; with it goes everything
   * that was narrowed from it. Throws {@code UnavailableException} when that cannot be found out.
   */
  boolean isRevoked(CapabilityId id);
}
