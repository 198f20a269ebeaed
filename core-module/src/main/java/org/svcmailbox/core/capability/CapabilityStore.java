package org.svcmailbox.core.capability;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditHistory;
import org.svcmailbox.core.audit.AuditLog;

/**
 * What all nodes know of root keys and revocations. Each method is one transaction, on disk when it
 * returns, together with its audit entry; each throws {@code UnavailableException} when the
 * database is away, and then nothing was changed or, of a change, the outcome is unknown.
 */
public interface CapabilityStore extends AuditLog, AuditHistory {
  /** A root key that the service made. */
  record StoredKey(String id, RootSecret secret, Instant createdAt) {}

  /** The keys that the service made, oldest first. */
  List<StoredKey> keys();

  /** Keeps a new key. */
  void add(StoredKey key, AuditEntry entry);

  /** Whether a capability was revoked, by its nonce or with its key. */
  boolean isRevoked(CapabilityId id);

  /** Whether a key was revoked. */
  boolean isKeyRevoked(String keyId);

  /** How many revocations of single capabilities are kept. */
  long revocations();

  /**
   * Revokes a capability, for good; once more changes nothing but the audit.
   *
   * @param keyId the key it was minted with, null when that is not known
   */
  void revoke(String nonce, @Nullable String keyId, AuditEntry entry);

  /**
   * Revokes a key with all that was minted with it, for good; as above. Revocations of single ones
   * that are known to be of this key need not be kept any more, nor what was minted with it.
   */
  void revokeKey(String keyId, AuditEntry entry);

  /** Keeps what is known of a capability that was minted. */
  void mint(Minting minting, AuditEntry entry);

  /** How many mintings are kept. */
  long mintings();

  /**
   * Lists capabilities that were minted and have not expired, or were revoked, in the order of
   * their nonces; then revoked keys. A capability that a revoked key minted is not listed.
   *
   * @param after behind this subject, empty for the first page
   */
  List<ListedCapability> list(String after, int limit, Instant now);

  /**
   * Removes mintings of capabilities that have expired.
   *
   * @param most so many
   * @return how many were removed
   */
  int purgeMintings(Instant now, int most);

  /**
   * Removes the oldest audit entries from before a moment.
   *
   * @param most so many
   * @return how many were removed
   */
  int purgeAudit(Instant before, int most);
}
