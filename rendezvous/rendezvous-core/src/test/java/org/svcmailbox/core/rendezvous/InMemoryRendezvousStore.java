package org.svcmailbox.core.rendezvous;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.problem.UnavailableException;

/** An in-memory store that can be away. */
public final class InMemoryRendezvousStore implements RendezvousStore {
  private final List<StoredToken> tokens = new ArrayList<>();
  private final List<AuditEntry> audit = new ArrayList<>();
  private Optional<AccessRules> access = Optional.empty();
  private boolean isAway;
  private boolean isLosingAnswers;

  public synchronized void away(boolean nowAway) {
    isAway = nowAway;
  }

  /** From now on changes happen, but callers are told that the database is away. */
  public synchronized void losingAnswers(boolean nowLosing) {
    isLosingAnswers = nowLosing;
  }

  public synchronized List<AuditEntry> audit() {
    return List.copyOf(audit);
  }

  @Override
  public synchronized List<StoredToken> tokens() {
    requireHere();
    return tokens.stream()
        .sorted(Comparator.comparing(StoredToken::created).thenComparing(StoredToken::id))
        .toList();
  }

  @Override
  public synchronized void add(StoredToken token, AuditEntry entry) {
    requireHere();
    tokens.add(token);
    done(entry);
  }

  @Override
  public synchronized boolean remove(String id, AuditEntry entry) {
    requireHere();
    boolean isRemoved = tokens.removeIf(token -> token.id().equals(id));
    if (isRemoved) {
      done(entry);
    }
    return isRemoved;
  }

  @Override
  public synchronized boolean rotate(
      String oldId, Instant oldExpires, StoredToken fresh, AuditEntry entry) {
    requireHere();
    for (int i = 0; i < tokens.size(); i++) {
      if (tokens.get(i).id().equals(oldId)) {
        tokens.set(i, tokens.get(i).endingAt(oldExpires));
        tokens.add(fresh);
        done(entry);
        return true;
      }
    }
    return false;
  }

  @Override
  public synchronized int purge(Instant now, int most) {
    requireHere();
    List<StoredToken> ended =
        tokens.stream().filter(token -> token.hasEnded(now)).limit(most).toList();
    tokens.removeAll(ended);
    return ended.size();
  }

  @Override
  public synchronized Optional<AccessRules> access() {
    requireHere();
    return access;
  }

  @Override
  public synchronized void putAccess(AccessRules rules, AuditEntry entry) {
    requireHere();
    access = Optional.of(rules);
    done(entry);
  }

  private void requireHere() {
    if (isAway) {
      throw new UnavailableException("away");
    }
  }

  private void done(AuditEntry entry) {
    audit.add(entry);
    if (isLosingAnswers) {
      throw new UnavailableException("the answer is lost");
    }
  }
}
