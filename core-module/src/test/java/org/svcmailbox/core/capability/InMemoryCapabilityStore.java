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
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.problem.UnavailableException;

/** A store in memory, which can be away. */
public final class InMemoryCapabilityStore implements CapabilityStore {
  private final List<StoredKey> keys = new ArrayList<>();
  private final Map<String, @Nullable String> nonces = new HashMap<>();
  private final Set<String> revokedKeys = new HashSet<>();
  private final List<AuditRow> audit = new ArrayList<>();
  private long written;
  private Runnable onTheWay = () -> {};
  private boolean isAway;
  private int asked;

  /** Lets every call fail, or none. */
  synchronized void away(boolean away) {
    isAway = away;
  }

  /** Runs this between an answer about a revocation and its arrival. */
  synchronized void onTheWay(Runnable delay) {
    onTheWay = delay;
  }

  /** How often somebody asked whether a capability was revoked. */
  synchronized int asked() {
    return asked;
  }

  /** The audit, oldest first. */
  public synchronized List<AuditEntry> audit() {
    return audit.stream().map(AuditRow::entry).toList();
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
    boolean revoked = nonces.containsKey(id.nonce()) || revokedKeys.contains(id.keyId());
    onTheWay.run();
    return revoked;
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
    written++;
    audit.add(new AuditRow(written, entry));
  }

  @Override
  public synchronized List<AuditRow> audit(AuditFilter wanted, long after, int limit) {
    requireThere();
    return audit.stream()
        .filter(row -> row.no() > after && isWanted(row.entry(), wanted))
        .limit(limit)
        .toList();
  }

  private static boolean isWanted(AuditEntry entry, AuditFilter wanted) {
    return (wanted.since() == null || !entry.at().isBefore(wanted.since()))
        && (wanted.until() == null || entry.at().isBefore(wanted.until()))
        && (wanted.action() == null || isWanted(entry.action(), wanted.action()))
        && (wanted.subject() == null || entry.subject().equals(wanted.subject()));
  }

  private static boolean isWanted(String action, AuditFilter.Action wanted) {
    return wanted.isBeginning() ? action.startsWith(wanted.text()) : action.equals(wanted.text());
  }

  @Override
  public synchronized int purgeAudit(Instant before, int most) {
    requireThere();
    List<AuditRow> old =
        audit.stream()
            .filter(row -> row.entry().at().isBefore(before))
            .sorted(Comparator.comparing(row -> row.entry().at()))
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
