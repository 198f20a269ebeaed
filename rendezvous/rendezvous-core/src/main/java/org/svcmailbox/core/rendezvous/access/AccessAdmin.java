package org.svcmailbox.core.rendezvous.access;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.RendezvousStore;
import org.svcmailbox.core.rendezvous.Right;
import org.svcmailbox.core.rendezvous.StoredToken;

/** Administration of tokens and rules. Each change goes to disk first. Any thread. */
final class AccessAdmin implements RendezvousAdmin {
  static final Duration SHORTEST = Duration.ofSeconds(1);
  static final Duration LONGEST = Duration.ofDays(3_650);
  static final Duration LONGEST_OVERLAP = Duration.ofDays(30);

  /** When to retry: room comes from an operator, or from tokens that expire. */
  private static final Duration LATER = Duration.ofMinutes(1);

  private static final String FIRST_NOTE = "made at the first start";

  private final TokenCache tokens;
  private final AccessControl control;
  private final RendezvousStore store;
  private final SecureRandom random;
  private final InstantSource wall;

  AccessAdmin(
      TokenCache tokens,
      AccessControl control,
      RendezvousStore store,
      SecureRandom random,
      InstantSource wall) {
    this.tokens = tokens;
    this.control = control;
    this.store = store;
    this.random = random;
    this.wall = wall;
  }

  /** Creates a token for every mailbox if there is none. */
  Optional<String> first() {
    Instant now = wall.instant();
    if (tokens.hasServerWide(now)) {
      return Optional.empty();
    }
    Issued issued = fresh(null, Set.of(Right.values()), now, null, FIRST_NOTE);
    String id = issued.stored().id();
    store.add(
        issued.stored(),
        new AuditEntry(now, Actor.SERVICE, "", "rendezvous.token.add", id, FIRST_NOTE));
    tokens.put(issued.stored());
    return Optional.of(issued.token());
  }

  @Override
  public Page tokens(Caller operator, String after, int limit) {
    operator.require(Operation.ADMIN, null);
    require(limit >= 1 && limit <= MAX_PAGE, "limit", "must be 1 to 1000");
    List<StoredToken> behind = tokens.behind(after, limit + 1);
    boolean isLast = behind.size() <= limit;
    return new Page(
        isLast ? behind : behind.subList(0, limit), isLast ? null : behind.get(limit - 1).id());
  }

  @Override
  public Issued add(
      Caller operator,
      @Nullable RecipientId mailbox,
      Set<Right> rights,
      @Nullable Duration life,
      String note) {
    operator.require(Operation.ADMIN, null);
    require(!rights.isEmpty(), "rights", "must not be empty");
    require(note.length() <= MAX_NOTE, "note", "must have at most 200 characters");
    require(
        life == null || isBetween(SHORTEST, life, LONGEST),
        "expires_in",
        "must be between 1s and 3650d");
    Instant now = wall.instant();
    Issued issued = fresh(mailbox, rights, now, life, note);
    AuditEntry entry = entry(operator, now, "add", issued.stored(), note);
    keep(
        issued.stored(),
        stored -> {
          store.add(stored, entry);
          return true;
        });
    return issued;
  }

  @Override
  public void remove(Caller operator, String id) {
    operator.require(Operation.ADMIN, null);
    AuditEntry entry = operator.audit(wall.instant(), "rendezvous.token.remove", id, "");
    boolean wasStored = store.remove(id, entry);
    // An earlier call, whose outcome was unknown, removed a token that is now only in memory.
    if (!tokens.remove(id) && !wasStored) {
      throw unknown();
    }
  }

  @Override
  public Issued rotate(Caller operator, String id, Duration overlap) {
    operator.require(Operation.ADMIN, null);
    require(isBetween(Duration.ZERO, overlap, LONGEST_OVERLAP), "overlap", "must be 0s to 30d");
    Instant now = wall.instant();
    StoredToken old = tokens.find(id, now).orElseThrow(AccessAdmin::unknown);
    Instant end = earlier(old.expires(), rounded(now.plus(overlap)));
    Instant expires = old.expires();
    Duration life = expires == null ? null : Duration.between(old.created(), expires);
    Issued issued = fresh(old.mailbox(), old.rights(), now, life, old.note());
    AuditEntry entry = entry(operator, now, "rotate", issued.stored(), "in place of " + id);
    keep(issued.stored(), stored -> store.rotate(id, end, stored, entry));
    tokens.replace(old.endingAt(end));
    return issued;
  }

  @Override
  public AccessRules access(Caller operator) {
    operator.require(Operation.ADMIN, null);
    return control.rules();
  }

  @Override
  public void setAccess(Caller operator, AccessRules rules) {
    operator.require(Operation.ADMIN, null);
    AccessCheck.require(rules);
    Instant now = wall.instant();
    AuditEntry entry = operator.audit(now, "rendezvous.access", "rules", AccessCheck.text(rules));
    store.putAccess(rules, entry);
    control.setRules(rules);
  }

  /** Deletes expired tokens from the database; blocks. */
  int purge(int most) {
    return store.purge(wall.instant(), most);
  }

  private void keep(StoredToken token, Predicate<StoredToken> write) {
    if (!tokens.tryReserve(token.mailbox())) {
      throw new SaturatedException("rendezvous_tokens", "there are too many tokens", LATER);
    }
    try {
      if (!write.test(token)) {
        throw unknown();
      }
      tokens.put(token);
    } finally {
      tokens.release(token.mailbox());
    }
  }

  private Issued fresh(
      @Nullable RecipientId mailbox,
      Set<Right> rights,
      Instant now,
      @Nullable Duration life,
      String note) {
    String token = TokenDigest.newToken(random);
    Instant created = rounded(now);
    return new Issued(
        token,
        new StoredToken(
            TokenDigest.newId(random),
            HexFormat.of().formatHex(TokenDigest.of(token)),
            rights,
            mailbox,
            created,
            life == null ? null : created.plus(life),
            note));
  }

  private static AuditEntry entry(
      Caller operator, Instant now, String what, StoredToken token, String note) {
    String mailbox = token.mailbox() == null ? "every mailbox" : "mailbox " + token.mailbox();
    return operator.audit(now, "rendezvous.token." + what, token.id(), mailbox + "; " + note);
  }

  private static Instant rounded(Instant moment) {
    return moment.truncatedTo(ChronoUnit.MILLIS);
  }

  private static Instant earlier(@Nullable Instant one, Instant other) {
    return one != null && one.isBefore(other) ? one : other;
  }

  private static boolean isBetween(Duration least, Duration value, Duration most) {
    return value.compareTo(least) >= 0 && value.compareTo(most) <= 0;
  }

  private static void require(boolean holds, String field, String message) {
    if (!holds) {
      throw new SchemaException(field, message);
    }
  }

  private static NotFoundException unknown() {
    return new NotFoundException("there is no such token");
  }
}
