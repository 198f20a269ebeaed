package org.svcmailbox.core.capability.store;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.store.ListedCapability.Kind;
import org.svcmailbox.core.problem.UnavailableException;

/** An in-memory store that can be away. */
public final class InMemoryCapabilityStore implements CapabilityStore {
  private final List<StoredKey> keys = new ArrayList<>();
  private final Map<String, @Nullable String> nonces = new HashMap<>();
  private final Map<String, Instant> revokedAt = new HashMap<>();
  private final Map<String, Instant> revokedKeys = new TreeMap<>();
  private final Map<String, Minting> mintings = new TreeMap<>();

  /** By subject: the numbers of revocations. */
  private final Map<String, Long> numbers = new HashMap<>();

  private long lastChange;
  private final List<AuditRow> audit = new ArrayList<>();
  private long written;
  private Runnable onTheWay = () -> {};
  private boolean isAway;
  private int asked;

  /** A copy of everything but the audit. */
  public synchronized InMemoryCapabilityStore copy() {
    InMemoryCapabilityStore copy = new InMemoryCapabilityStore();
    copy.replaceBy(this);
    return copy;
  }

  /** Puts a copy in the place of everything but the audit. */
  public synchronized void replaceBy(InMemoryCapabilityStore other) {
    keys.clear();
    keys.addAll(other.keys);
    replace(nonces, other.nonces);
    replace(revokedAt, other.revokedAt);
    replace(revokedKeys, other.revokedKeys);
    replace(mintings, other.mintings);
    replace(numbers, other.numbers);
    lastChange = other.lastChange;
  }

  private static <V extends @Nullable Object> void replace(
      Map<String, V> content, Map<String, V> by) {
    content.clear();
    content.putAll(by);
  }

  public synchronized void away(boolean away) {
    isAway = away;
  }

  /** Runs {@code delay} between an answer about a revocation and its arrival. */
  public synchronized void onTheWay(Runnable delay) {
    onTheWay = delay;
  }

  public synchronized int asked() {
    return asked;
  }

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
    lastChange++;
    keys.add(key);
  }

  @Override
  public synchronized Answer answer(CapabilityId id) {
    requireThere();
    asked++;
    boolean revoked = nonces.containsKey(id.nonce()) || revokedKeys.containsKey(id.keyId());
    Minting minting = mintings.get(id.nonce());
    Answer answer = new Answer(revoked, minting == null ? null : minting.name());
    onTheWay.run();
    return answer;
  }

  @Override
  public synchronized Map<String, String> names(Collection<String> wanted) {
    requireThere();
    Map<String, String> names = new HashMap<>();
    for (String nonce : wanted) {
      Minting minting = mintings.get(nonce);
      String name = minting == null ? null : minting.name();
      if (name != null) {
        names.put(nonce, name);
      }
    }
    return names;
  }

  @Override
  public synchronized long lastChange() {
    requireThere();
    return lastChange;
  }

  @Override
  public synchronized Revocations revokedAfter(long number, int most) {
    requireThere();
    List<String> found =
        numbers.entrySet().stream()
            .filter(row -> row.getValue() > number)
            .sorted(Map.Entry.comparingByValue())
            .map(Map.Entry::getKey)
            .limit(most)
            .toList();
    Map<String, Optional<String>> revoked = new HashMap<>();
    found.stream()
        .filter(nonces::containsKey)
        .forEach(nonce -> revoked.put(nonce, Optional.ofNullable(nonces.get(nonce))));
    Set<String> keysFound = new HashSet<>(found);
    keysFound.retainAll(revokedKeys.keySet());
    boolean isLast = found.size() < most;
    long reached = isLast ? lastChange : requireNonNull(numbers.get(found.get(most - 1)));
    return new Revocations(reached, revoked, keysFound, isLast);
  }

  @Override
  public synchronized boolean isKeyRevoked(String keyId) {
    requireThere();
    return revokedKeys.containsKey(keyId);
  }

  @Override
  public synchronized long revocations() {
    requireThere();
    return nonces.size();
  }

  @Override
  public synchronized void revoke(String nonce, @Nullable String keyId, AuditEntry entry) {
    note(entry);
    lastChange++;
    if (!nonces.containsKey(nonce)) {
      numbers.put(nonce, lastChange);
      nonces.put(nonce, keyId);
      revokedAt.put(nonce, entry.at());
    }
  }

  @Override
  public synchronized void revokeKey(String keyId, AuditEntry entry) {
    note(entry);
    lastChange++;
    numbers.putIfAbsent(keyId, lastChange);
    nonces.values().removeIf(keyId::equals);
    mintings.values().removeIf(minting -> minting.id().keyId().equals(keyId));
    revokedKeys.putIfAbsent(keyId, entry.at());
  }

  @Override
  public synchronized void mint(Minting minting, AuditEntry entry) {
    note(entry);
    mintings.put(minting.id().nonce(), minting);
  }

  @Override
  public synchronized long mintings() {
    requireThere();
    return mintings.values().stream().filter(minting -> !minting.isOfSession()).count();
  }

  @Override
  public synchronized long sessionMintings(Instant now) {
    return unexpired(now).filter(Minting::isOfSession).count();
  }

  @Override
  public synchronized long sessionMintingsBy(String by, Instant now) {
    return unexpired(now).filter(Minting::isOfSession).filter(each -> isBy(by, each)).count();
  }

  @Override
  public synchronized long mintingsBy(String by, Instant now) {
    return unexpired(now)
        .filter(each -> !each.isOfSession())
        .filter(each -> isBy(by, each))
        .count();
  }

  private static boolean isBy(String by, Minting minting) {
    return minting.by().id().equals(by);
  }

  private Stream<Minting> unexpired(Instant now) {
    requireThere();
    return mintings.values().stream()
        .filter(minting -> minting.expires() != null && minting.expires().isAfter(now));
  }

  @Override
  public synchronized List<ListedCapability> list(Kind kind, String after, int limit, Instant now) {
    requireThere();
    Map<String, ListedCapability> all = new LinkedHashMap<>();
    Set<String> known = new TreeSet<>(mintings.keySet());
    known.addAll(nonces.keySet());
    for (String nonce : known) {
      Minting minting = mintings.get(nonce);
      boolean isOver =
          minting != null && minting.expires() != null && !minting.expires().isAfter(now);
      Instant revoked = nonces.containsKey(nonce) ? revokedAt.get(nonce) : null;
      boolean isSession = minting != null && minting.isOfSession();
      boolean isKind =
          switch (kind) {
            case ALL -> true;
            case MINTED -> !isSession;
            case CONSOLE -> isSession && !isOver;
          };
      if (isKind && (revoked != null || !isOver)) {
        String keyId = minting != null ? minting.id().keyId() : nonces.get(nonce);
        String subject = ListedCapability.NONCE + nonce;
        all.put(subject, new ListedCapability(subject, keyId, isOver ? null : minting, revoked));
      }
    }
    for (Map.Entry<String, Instant> key : revokedKeys.entrySet()) {
      if (kind != Kind.CONSOLE) {
        String subject = ListedCapability.KEY + key.getKey();
        all.put(subject, new ListedCapability(subject, key.getKey(), null, key.getValue()));
      }
    }
    List<String> order = List.copyOf(all.keySet());
    boolean inKeys = after.startsWith(ListedCapability.KEY);
    return order.stream()
        .filter(
            subject ->
                subject.startsWith(ListedCapability.KEY)
                    ? !inKeys || subject.compareTo(after) > 0
                    : !inKeys && subject.compareTo(after) > 0)
        .limit(limit)
        .map(subject -> requireNonNull(all.get(subject)))
        .toList();
  }

  @Override
  public synchronized int purgeMintings(Instant now, int most) {
    requireThere();
    List<String> over =
        mintings.values().stream()
            .filter(minting -> minting.expires() != null && !minting.expires().isAfter(now))
            .map(minting -> minting.id().nonce())
            .limit(most)
            .toList();
    over.stream()
        .filter(nonce -> requireNonNull(mintings.get(nonce)).isOfSession())
        .forEach(nonces::remove);
    over.forEach(mintings::remove);
    return over.size();
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
        && (wanted.subject() == null || entry.subject().equals(wanted.subject()))
        && (wanted.actorName() == null || nameOf(entry.actor()).equals(wanted.actorName()));
  }

  private static String nameOf(Actor actor) {
    return actor.name() != null ? actor.name() : actor.id();
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
