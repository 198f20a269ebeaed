package org.svcmailbox.core.capability.store;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
public interface CapabilityStore extends AuditLog, AuditHistory, CapabilityNames {
  record StoredKey(String id, RootSecret secret, Instant createdAt) {}

  /** The keys that the service made, oldest first. */
  List<StoredKey> keys();

  void add(StoredKey key, AuditEntry entry);

  /**
   * The answer about a capability.
   *
   * @param isRevoked whether its nonce or key was revoked
   * @param name {@link Minting#name}, while its minting is kept
   */
  record Answer(boolean isRevoked, @Nullable String name) {}

  /**
   * Revocations after a number. Each new key and each revocation takes the next number from a
   * counter in its own transaction, one after the other. So a reader that has seen a number can see
   * all earlier ones.
   *
   * @param number all changes up to this one are told, or happened before
   * @param nonces of capabilities, each with its key if that is known
   * @param keys the revoked keys
   * @param isLast false if later ones were left out
   */
  record Revocations(
      long number, Map<String, Optional<String>> nonces, Set<String> keys, boolean isLast) {
    public Revocations {
      nonces = Map.copyOf(nonces);
      keys = Set.copyOf(keys);
    }
  }

  /** The number of the last change of keys or revocations. */
  long lastChange();

  /** At most {@code most} of the revocations after a number, oldest first. */
  Revocations revokedAfter(long number, int most);

  /** Answers in one query what a verification asks. */
  Answer answer(CapabilityId id);

  /** Whether the capability's nonce or key was revoked. */
  default boolean isRevoked(CapabilityId id) {
    return answer(id).isRevoked();
  }

  boolean isKeyRevoked(String keyId);

  /** The number of revoked capabilities in the store, without those revoked by key. */
  long revocations();

  /** Revokes a capability for good; repeating it only adds to the audit. */
  void revoke(String nonce, @Nullable String keyId, AuditEntry entry);

  /** Revokes a key and every capability that it minted. Their records may be dropped. */
  void revokeKey(String keyId, AuditEntry entry);

  void mint(Minting minting, AuditEntry entry);

  /** The number of stored mintings, without those of console sessions. */
  long mintings();

  /** The number of unexpired capabilities of console sessions, including revoked ones. */
  long sessionMintings(Instant now);

  /** The same of one console user, by the user's id. */
  long sessionMintingsBy(String by, Instant now);

  /**
   * The number of unexpired capabilities that {@code by} minted, including revoked ones, without
   * those of console sessions.
   *
   * @param by the minter's id
   */
  long mintingsBy(String by, Instant now);

  /**
   * Lists unexpired and revoked capabilities by nonce, then revoked keys. Omits capabilities whose
   * key was revoked.
   *
   * @param kind a capability without a minting counts as {@code MINTED}, and so do keys
   */
  List<ListedCapability> list(ListedCapability.Kind kind, String after, int limit, Instant now);

  /**
   * Removes at most {@code most} expired mintings, those of console sessions with their
   * revocations; returns how many.
   */
  int purgeMintings(Instant now, int most);

  /**
   * Removes at most {@code most} of the oldest entries from before {@code before}; returns how
   * many.
   */
  int purgeAudit(Instant before, int most);
}
