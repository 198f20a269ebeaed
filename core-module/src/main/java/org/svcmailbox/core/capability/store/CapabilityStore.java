package org.svcmailbox.core.capability.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditHistory;
import org.svcmailbox.core.audit.AuditLog;

/**
 * Root keys and revocations of all nodes. Each method is one transaction, on disk on return, with
 * its audit entry. When the database is away, each one throws {@code UnavailableException}, and the
 * outcome of a change is unknown.
 */
public interface CapabilityStore extends AuditLog, AuditHistory {
  record StoredKey(String id, RootSecret secret, Instant createdAt) {}

  /** The keys that the service made, oldest first. */
  List<StoredKey> keys();

  void add(StoredKey key, AuditEntry entry);

  /** Whether the capability's nonce or key was revoked. */
  boolean isRevoked(CapabilityId id);

  boolean isKeyRevoked(String keyId);

  /** The number of revoked capabilities in the store, without those revoked by key. */
  long revocations();

  /** Revokes a capability for good; repeating it only adds to the audit. */
  void revoke(String nonce, @Nullable String keyId, AuditEntry entry);

  /** Revokes a key and every capability that it minted. Their records may be dropped. */
  void revokeKey(String keyId, AuditEntry entry);

  void mint(Minting minting, AuditEntry entry);

  /** The number of stored mintings, without the console's. */
  long mintings();

  /** The number of unexpired capabilities of the console's users, including revoked ones. */
  long consoleMintings(Instant now);

  /** The number of unexpired capabilities that {@code by} minted, including revoked ones. */
  long mintingsBy(String by, Instant now);

  /**
   * Lists unexpired and revoked capabilities by nonce, then revoked keys. Omits capabilities whose
   * key was revoked.
   */
  List<ListedCapability> list(String after, int limit, Instant now);

  /**
   * Removes at most {@code most} expired mintings, the console's with their revocations; returns
   * how many.
   */
  int purgeMintings(Instant now, int most);

  /**
   * Removes at most {@code most} of the oldest entries from before {@code before}; returns how
   * many.
   */
  int purgeAudit(Instant before, int most);
}
