package org.svcmailbox.core.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;

/** The contract of every store of tokens and access rules. */
public abstract class RendezvousStoreContract {
  private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00.123Z");
  private static final Instant END = CREATED.plusMillis(5_001);
  private static final RecipientId MAILBOX = new RecipientId("0a".repeat(32));

  private RendezvousStore store = new InMemoryRendezvousStore();

  protected abstract RendezvousStore open() throws Exception;

  /** Another view of the disk, without the memory of the first. */
  protected abstract RendezvousStore reopened(RendezvousStore store);

  protected abstract List<AuditEntry> audit(RendezvousStore store);

  @BeforeEach
  void begin() throws Exception {
    store = open();
  }

  private static StoredToken token(int number, @Nullable Instant expires) {
    return new StoredToken(
        String.format("%016x", number),
        String.format("%064x", number),
        Set.of(Right.POST),
        null,
        CREATED.plusMillis(number),
        expires,
        "token " + number);
  }

  private static AuditEntry entry(String subject) {
    return new AuditEntry(
        CREATED, new Actor("key:nonce", null), "192.0.2.1", "rendezvous.token.add", subject, "");
  }

  private static IpRange range(String text) {
    return IpRange.parse(text).orElseThrow();
  }

  private List<StoredToken> onDisk() {
    return reopened(store).tokens();
  }

  private List<String> audited() {
    return audit(store).stream().map(AuditEntry::subject).toList();
  }

  @Test
  void itBeginsEmpty() {
    assertEquals(List.of(), store.tokens());
    assertEquals(Optional.empty(), store.access());
    assertEquals(0, store.purge(END, 10));
  }

  @Test
  void aTokenIsKeptWithAllThatBelongsToIt() {
    StoredToken all =
        new StoredToken(
            "00000000000000ff",
            "f".repeat(64),
            Set.of(Right.POST, Right.GET),
            MAILBOX,
            CREATED,
            END,
            "käse; 'quoted'");
    StoredToken least =
        new StoredToken(
            "0000000000000001", "0".repeat(64), Set.of(Right.GET), null, CREATED, null, "");
    store.add(all, entry("all"));
    store.add(least, entry("least"));
    assertEquals(Set.of(all, least), Set.copyOf(onDisk()));
    assertEquals(List.of("all", "least"), audited());
  }

  @Test
  void theLongestNoteIsKept() {
    String note = "n".repeat(RendezvousAdmin.MAX_NOTE);
    StoredToken token = token(1, null);
    store.add(
        new StoredToken(
            token.id(), token.digest(), token.rights(), null, token.created(), null, note),
        entry("1"));
    assertEquals(note, onDisk().get(0).note());
  }

  @Test
  void tokensComeOldestFirst() {
    List<Integer> numbers = new ArrayList<>(List.of(1, 2, 3, 4, 5));
    Collections.reverse(numbers);
    numbers.forEach(number -> store.add(token(number, null), entry("")));
    assertEquals(
        List.of(1, 2, 3, 4, 5).stream().map(number -> token(number, null)).toList(), onDisk());
  }

  @Test
  void aTokenIsRemovedOnceAndThatIsAudited() {
    store.add(token(1, null), entry("added"));
    store.add(token(2, null), entry("other"));
    assertTrue(store.remove(token(1, null).id(), entry("removed")));
    assertFalse(store.remove(token(1, null).id(), entry("again")));
    assertEquals(List.of(token(2, null)), onDisk());
    assertEquals(List.of("added", "other", "removed"), audited());
  }

  @Test
  void aRotatedTokenEndsAndTheFreshOneIsThere() {
    store.add(token(1, null), entry("added"));
    assertTrue(store.rotate(token(1, null).id(), END, token(2, null), entry("rotated")));
    assertEquals(List.of(token(1, END), token(2, null)), onDisk());
    assertEquals(List.of("added", "rotated"), audited());
  }

  @Test
  void whatIsGoneIsNotRotated() {
    assertFalse(store.rotate(token(1, null).id(), END, token(2, null), entry("rotated")));
    assertEquals(List.of(), onDisk());
    assertEquals(List.of(), audited());
  }

  @Test
  void tokensThatHaveEndedArePurgedAtTheirEndAndNotBefore() {
    store.add(token(1, END), entry(""));
    store.add(token(2, END.plusMillis(1)), entry(""));
    store.add(token(3, null), entry(""));
    assertEquals(0, store.purge(END.minusMillis(1), 10));
    assertEquals(1, store.purge(END, 10));
    assertEquals(List.of(token(2, END.plusMillis(1)), token(3, null)), onDisk());
  }

  @Test
  void aPurgeRemovesNoMoreThanItIsAskedTo() {
    for (int number = 1; number <= 5; number++) {
      store.add(token(number, END), entry(""));
    }
    assertEquals(2, store.purge(END, 2));
    assertEquals(2, store.purge(END, 2));
    assertEquals(1, store.purge(END, 2));
    assertEquals(List.of(), onDisk());
  }

  @Test
  void rulesAreReplacedAsAWhole() {
    AccessRules first =
        new AccessRules(List.of(range("10.0.0.0/8"), range("2001:db8::/32")), List.of(), 1, 2, 3);
    AccessRules second = new AccessRules(List.of(), List.of(range("192.0.2.0/24")), 4, 5, 6);
    store.putAccess(first, entry("first"));
    assertEquals(Optional.of(first), reopened(store).access());
    store.putAccess(second, entry("second"));
    assertEquals(Optional.of(second), reopened(store).access());
    assertEquals(List.of("first", "second"), audited());
  }

  @Test
  void theLongestListsAreKept() {
    List<IpRange> ranges = new ArrayList<>();
    for (int i = 0; i < AccessRules.MAX_RANGES; i++) {
      ranges.add(range("2001:db8:%x:ffff:ffff:ffff:ffff:ffff/128".formatted(i)));
    }
    AccessRules rules = new AccessRules(ranges, ranges, 1_000_000, 0, 3_600);
    store.putAccess(rules, entry("rules"));
    assertEquals(Optional.of(rules), reopened(store).access());
  }
}
