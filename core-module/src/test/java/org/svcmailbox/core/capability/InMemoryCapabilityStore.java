package org.svcmailbox.core.capability;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.problem.UnavailableException;

/** A store in memory, which can be away. */
public final class InMemoryCapabilityStore implements CapabilityStore {
  private final List<StoredKey> keys = new ArrayList<>();
  private final Map<String, @Nullable String> nonces = new HashMap<>();
  private final Set<String> revokedKeys = new HashSet<>();
  private final List<AuditEntry> audit = new ArrayList<>();
  private boolean isAway;
  private int asked;

  /** Lets every call fail, or none. */
  synchronized void away(boolean away) {
    isAway = away;
  }

  /** How often somebody asked whether a capability was revoked. */
  synchronized int asked() {
    return asked;
  }

  /** The audit, oldest first. */
  public synchronized List<AuditEntry> audit() {
    return List.copyOf(audit);
  }

  @Override
  public synchronized List<StoredKey> keys() {
    requireThere();
    return List.copyOf(keys);
  }

  @Override
  public synchronized void add(StoredKey key, AuditEntry entry) {
    note(entry);
    keys.add(key);
  }

  @Override
  public synchronized boolean isRevoked(CapabilityId id) {
    requireThere();
    asked++;
    return nonces.containsKey(id.nonce()) || revokedKeys.contains(id.keyId());
  }

  @Override
  public synchronized boolean isKeyRevoked(String keyId) {
    requireThere();
    return revokedKeys.contains(keyId);
  }

  @Override
  public synchronized long revocations() {
    requireThere();
    return nonces.size();
  }

  @Override
  public synchronized void revoke(String nonce, @Nullable String keyId, AuditEntry entry) {
    note(entry);
    nonces.putIfAbsent(nonce, keyId);
  }

  @Override
  public synchronized void revokeKey(String keyId, AuditEntry entry) {
    note(entry);
    nonces.values().removeIf(keyId::equals);
    revokedKeys.add(keyId);
  }

  @Override
  public synchronized void note(AuditEntry entry) {
    requireThere();
    audit.add(entry);
  }

  @Override
  public synchronized int purgeAudit(Instant before, int most) {
    requireThere();
    List<AuditEntry> old =
        audit.stream()
            .filter(entry -> entry.at().isBefore(before))
            .sorted(Comparator.comparing(AuditEntry::at))
            .limit(most)
            .toList();
    audit.removeAll(old);
    return old.size();
  }

  private void requireThere() {
    if (isAway) {
      throw new UnavailableException("the database is away");
    }
  }
}
