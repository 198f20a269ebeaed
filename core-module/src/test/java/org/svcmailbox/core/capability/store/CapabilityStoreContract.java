package org.svcmailbox.core.capability.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditFilter.Action;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.AuditService;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Capabilities;
import org.svcmailbox.core.capability.CapabilityService;
import org.svcmailbox.core.capability.Nodes;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.store.CapabilityStore.Answer;
import org.svcmailbox.core.capability.store.CapabilityStore.Revocations;
import org.svcmailbox.core.capability.store.CapabilityStore.StoredKey;
import org.svcmailbox.core.capability.store.ListedCapability.Kind;
import org.svcmailbox.core.settings.FairShare;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.test.concurrent.Together;

/** The contract of every store of capabilities; each test begins with an empty one. */
public interface CapabilityStoreContract {
  /** The minter and actor of the samples. */
  Actor MINTER = new Actor("k1:00", "on-call \u20ac");

  /** A time that every database stores exactly. */
  Instant NOW = Instant.parse("2026-11-20T12:00:00.123Z");

  CapabilityStore store();

  /** The audit on disk, oldest first. */
  private List<AuditEntry> audit() {
    return all(AuditFilter.ALL).stream().map(AuditRow::entry).toList();
  }

  private List<AuditRow> all(AuditFilter wanted) {
    return store().audit(wanted, 0, AuditService.MAX_ROWS);
  }

  private List<String> subjects(AuditFilter wanted) {
    return all(wanted).stream().map(row -> row.entry().subject()).toList();
  }

  private static CapabilityId id(String keyId, int number) {
    byte[] nonce = new byte[CapabilityId.NONCE_BYTES];
    nonce[0] = (byte) number;
    return CapabilityId.of(keyId, nonce);
  }

  private static AuditEntry entry(String subject) {
    return entry(subject, NOW);
  }

  private static AuditEntry entry(String subject, Instant at) {
    return new AuditEntry(at, MINTER, "10.0.0.1", "capability.test", subject, "a note");
  }

  private static StoredKey key(String id, String secret, Instant at) {
    return new StoredKey(id, new RootSecret(secret.getBytes(UTF_8)), at);
  }

  @Test
  default void keysComeBackAsTheyWereMadeOldestFirst() {
    store().add(key("b", "one", NOW.plusSeconds(1)), entry("b"));
    store().add(key("a", "two", NOW), entry("a"));
    List<StoredKey> keys = store().keys();
    assertEquals(List.of("b", "a"), keys.stream().map(StoredKey::id).toList());
    assertArrayEquals("one".getBytes(UTF_8), keys.get(0).secret().bytes());
    assertEquals(NOW.plusSeconds(1), keys.get(0).createdAt());
    assertEquals(List.of(entry("b"), entry("a")), audit());
  }

  @Test
  default void ofTwoNodesTheOtherStopsBelievingAfterTheTtl() {
    TestTime time = new TestTime();
    Duration ttl = Duration.ofSeconds(5);
    Capabilities here = node(time, ttl);
    Capabilities there = node(time, ttl);
    Caller operator = Nodes.operator(here);
    String token = here.mint(operator, List.of(), Duration.ofDays(1)).token();
    assertEquals(Optional.empty(), Nodes.denial(there, token));
    here.revoke(operator, new CapabilityService.Revocation.OfCapability(token));
    assertEquals(Optional.of(Denial.REVOKED), Nodes.denial(here, token));
    time.advance(ttl);
    assertEquals(Optional.of(Denial.REVOKED), Nodes.denial(there, token));
  }

  private Capabilities node(TestTime time, Duration ttl) {
    return new Capabilities(
        new Capabilities.Terms(Map.of(), ttl, ttl, 100, 100, new FairShare(100), 0, 100),
        new Capabilities.Ports(store(), new SecureRandom(), time::nanos, time));
  }

  @Test
  default void aRevokedNonceIsRevokedWithWhateverKey() {
    store().revoke(id("k1", 1).nonce(), "k1", entry("1"));
    assertTrue(store().isRevoked(id("k1", 1)));
    assertTrue(store().isRevoked(id("k2", 1)));
    assertFalse(store().isRevoked(id("k1", 2)));
    assertFalse(store().isKeyRevoked("k1"));
    assertEquals(1, store().revocations());
  }

  @Test
  default void aRevokedKeyTakesAllWithItThatItMinted() {
    store().revokeKey("k1", entry("k1"));
    assertTrue(store().isRevoked(id("k1", 1)));
    assertTrue(store().isKeyRevoked("k1"));
    assertFalse(store().isRevoked(id("k2", 1)));
    assertFalse(store().isKeyRevoked("k2"));
    assertEquals(0, store().revocations());
  }

  @Test
  default void revokingAgainChangesNothingButTheAudit() {
    store().revoke(id("k1", 1).nonce(), null, entry("1"));
    store().revoke(id("k1", 1).nonce(), "k1", entry("1"));
    store().revokeKey("k2", entry("k2"));
    store().revokeKey("k2", entry("k2"));
    assertEquals(1, store().revocations());
    assertEquals(List.of("1", "1", "k2", "k2"), audit().stream().map(AuditEntry::subject).toList());
  }

  @Test
  default void whatIsRevokedWithItsKeyIsNotKeptTwice() {
    store().revoke(id("k1", 1).nonce(), "k1", entry("1"));
    store().revoke(id("k1", 2).nonce(), null, entry("2"));
    store().revoke(id("k2", 3).nonce(), "k2", entry("3"));
    store().revokeKey("k1", entry("k1"));
    assertEquals(2, store().revocations());
    assertTrue(store().isRevoked(id("k1", 1)), "with its key");
    assertTrue(store().isRevoked(id("k9", 2)), "whose key is not known");
    assertTrue(store().isRevoked(id("k2", 3)), "of another key");
  }

  @Test
  default void revocationsAndKeysAreNumberedOneAfterTheOther() {
    long before = store().lastChange();
    store().add(key("k1", "one", NOW), entry("k1"));
    long keyMade = store().lastChange();
    assertTrue(keyMade > before);
    store().revoke(id("k1", 1).nonce(), "k1", entry("1"));
    store().revoke(id("k1", 2).nonce(), null, entry("2"));
    store().revokeKey("k2", entry("k2"));
    long last = store().lastChange();
    Map<String, Optional<String>> nonces =
        Map.of(id("k1", 1).nonce(), Optional.of("k1"), id("k1", 2).nonce(), Optional.empty());
    Revocations all = new Revocations(last, nonces, Set.of("k2"), true);
    assertEquals(all, store().revokedAfter(before, 10));
    assertEquals(all, store().revokedAfter(keyMade, 10));
    assertEquals(new Revocations(last, Map.of(), Set.of(), true), store().revokedAfter(last, 10));
  }

  @Test
  default void revocationsAreReadInPages() {
    for (int i = 1; i <= 4; i++) {
      store().revoke(id("k1", i).nonce(), "k1", entry("" + i));
    }
    Revocations first = store().revokedAfter(0, 3);
    assertFalse(first.isLast());
    assertEquals(
        Set.of(id("k1", 1).nonce(), id("k1", 2).nonce(), id("k1", 3).nonce()),
        first.nonces().keySet());
    Revocations second = store().revokedAfter(first.number(), 3);
    assertEquals(Set.of(id("k1", 4).nonce()), second.nonces().keySet());
    assertTrue(second.isLast());
    Revocations full = store().revokedAfter(0, 4);
    assertFalse(full.isLast(), "a later one may be left out");
    assertEquals(
        new Revocations(full.number(), Map.of(), Set.of(), true),
        store().revokedAfter(full.number(), 4));
  }

  /** A reader that goes on from each number it was told ends with every revocation. */
  @Test
  default void aReaderMissesNoRevocationOfRivals() throws Exception {
    int rivals = 4;
    int each = 20;
    AtomicBoolean isOver = new AtomicBoolean();
    Set<String> read = new HashSet<>();
    Thread reader =
        new Thread(
            () -> {
              long number = 0;
              boolean isLast;
              do {
                isLast = isOver.get();
                Revocations news = store().revokedAfter(number, 1_000);
                read.addAll(news.nonces().keySet());
                number = news.number();
              } while (!isLast);
            });
    List<Callable<Boolean>> writers = new ArrayList<>();
    Set<String> revoked = new HashSet<>();
    for (int rival = 0; rival < rivals; rival++) {
      List<String> own = new ArrayList<>();
      for (int i = 0; i < each; i++) {
        own.add(id("k1", 1 + rival * each + i).nonce());
      }
      revoked.addAll(own);
      writers.add(
          () -> {
            own.forEach(nonce -> store().revoke(nonce, "k1", entry(nonce)));
            return true;
          });
    }
    reader.start();
    assertFalse(Together.run(writers).contains(false));
    isOver.set(true);
    reader.join();
    assertEquals(revoked, read);
  }

  @Test
  default void ofRivalsWhoRevokeTheSameEachIsAnswered() throws Exception {
    for (int round = 1; round <= 10; round++) {
      String nonce = id("k1", round).nonce();
      String keyId = "of-" + round;
      int unused =
          Together.run(
                  4,
                  () -> {
                    store().revoke(nonce, "k1", entry(nonce));
                    store().revokeKey(keyId, entry(keyId));
                    return true;
                  })
              .size();
      assertTrue(store().isRevoked(id("k1", round)));
      assertTrue(store().isKeyRevoked(keyId));
    }
  }

  private static Minting minting(CapabilityId id, Instant expires) {
    List<String> caveats = List.of("ops = send,recv", "topic = orders.*");
    return new Minting(id, caveats, MINTER, NOW, expires, "orders of shop 7");
  }

  private List<ListedCapability> listed(Instant now) {
    return listed(Kind.ALL, now);
  }

  private List<ListedCapability> listed(Kind kind, Instant now) {
    List<ListedCapability> all = new ArrayList<>();
    String after = "";
    for (List<ListedCapability> page = store().list(kind, after, 2, now);
        !page.isEmpty();
        page = store().list(kind, after, 2, now)) {
      all.addAll(page);
      after = page.get(page.size() - 1).subject();
    }
    return all;
  }

  @Test
  default void whatWasMintedAndRevokedIsListedInPages() {
    Minting live = minting(id("k1", 2), NOW.plusSeconds(60));
    Minting endless = new Minting(id("k1", 4), List.of(), Actor.SERVICE, NOW, null, null);
    Minting revoked = minting(id("k1", 5), NOW.plusSeconds(60));
    Minting ofRevokedKey = minting(id("k2", 6), NOW.plusSeconds(60));
    for (Minting minting : List.of(revoked, live, ofRevokedKey, endless)) {
      store().mint(minting, entry(minting.id().nonce()));
    }
    store().revoke(revoked.id().nonce(), "k1", entry("5", NOW.plusSeconds(1)));
    store().revoke(id("k1", 1).nonce(), null, entry("1"));
    store().revoke(id("k1", 9).nonce(), "k1", entry("9"));
    store().revokeKey("k2", entry("k2"));
    store().revokeKey("a-1", entry("a-1"));

    List<ListedCapability> expected = new ArrayList<>();
    expected.add(listed(id("k1", 1), null, null, NOW));
    expected.add(listed(live.id(), "k1", live, null));
    expected.add(listed(endless.id(), "k1", endless, null));
    expected.add(listed(revoked.id(), "k1", revoked, NOW.plusSeconds(1)));
    expected.add(listed(id("k1", 9), "k1", null, NOW));
    expected.add(new ListedCapability("key:a-1", "a-1", null, NOW));
    expected.add(new ListedCapability("key:k2", "k2", null, NOW));
    assertEquals(expected, listed(NOW));
    assertEquals(3, store().mintings());
    assertEquals(9, audit().size());
  }

  private static ListedCapability listed(
      CapabilityId id,
      @Nullable String keyId,
      @Nullable Minting minting,
      @Nullable Instant revokedAt) {
    return new ListedCapability("nonce:" + id.nonce(), keyId, minting, revokedAt);
  }

  @Test
  default void whatHasExpiredIsNotListedAndIsPurged() {
    store().mint(minting(id("k1", 1), NOW), entry("1"));
    store().mint(minting(id("k1", 2), NOW.plusMillis(1)), entry("2"));
    store().mint(new Minting(id("k1", 3), List.of(), Actor.SERVICE, NOW, null, null), entry("3"));
    store().mint(minting(id("k1", 4), NOW), entry("4"));
    store().revoke(id("k1", 4).nonce(), "k1", entry("4"));
    assertEquals(
        List.of(id("k1", 2).nonce(), id("k1", 3).nonce(), id("k1", 4).nonce()),
        listed(NOW).stream().map(ListedCapability::nonce).toList());
    assertEquals(1, store().purgeMintings(NOW, 1));
    assertEquals(1, store().purgeMintings(NOW, 10));
    assertEquals(0, store().purgeMintings(NOW, 10));
    assertEquals(2, store().mintings());
    assertTrue(store().isRevoked(id("k1", 4)), "the revocation stays");
  }

  @Test
  default void theConsoleIsCountedApartAndItsRevocationsGoWithTheirCapabilities() {
    Minting ended = ofConsole(id("k1", 1), "ann", NOW.plusSeconds(60));
    store().mint(ended, entry("1"));
    store().mint(ofConsole(id("k1", 2), "ann", NOW), entry("2"));
    store().mint(ofConsole(id("k1", 3), "bob", NOW.plusSeconds(60)), entry("3"));
    store().mint(minting(id("k1", 4), NOW.plusSeconds(60)), entry("4"));
    store().revoke(ended.id().nonce(), "k1", entry("1"));
    assertEquals(1, store().mintings());
    assertEquals(2, store().sessionMintings(NOW));
    assertEquals(0, store().sessionMintings(NOW.plusSeconds(60)));
    assertEquals(1, store().sessionMintingsBy("console:ann", NOW));
    assertEquals(1, store().sessionMintingsBy("console:bob", NOW));
    assertEquals(0, store().sessionMintingsBy("console:an", NOW));
    assertEquals(0, store().mintingsBy("console:ann", NOW));
    assertEquals(1, store().purgeMintings(NOW, 10));
    assertTrue(store().isRevoked(ended.id()), "it has not expired");
    assertEquals(3, store().purgeMintings(NOW.plusSeconds(60), 10));
    assertEquals(0, store().revocations());
  }

  @Test
  default void whatAnAdministratorMintsForOthersIsNoSessions() {
    Instant end = NOW.plusSeconds(60);
    CapabilityId id = id("k1", 1);
    store()
        .mint(new Minting(id, List.of(), Actor.ofConsole("ann"), NOW, end, "worker"), entry("1"));
    store().revoke(id.nonce(), "k1", entry("1"));
    assertEquals(1, store().mintings());
    assertEquals(0, store().sessionMintings(NOW));
    assertEquals(0, store().sessionMintingsBy("console:ann", NOW));
    assertEquals(1, store().mintingsBy("console:ann", NOW));
    assertEquals(1, store().purgeMintings(end, 10));
    assertTrue(store().isRevoked(id), "as of any minted one");
  }

  private static Minting ofConsole(CapabilityId id, String user, Instant expires) {
    return new Minting(id, List.of(), Actor.ofConsole(user), NOW, expires, null);
  }

  @Test
  default void theOldestOfTheAuditIsPurgedFirst() {
    for (int day = 0; day < 5; day++) {
      store().note(entry("day " + day, NOW.plus(Duration.ofDays(day))));
    }
    Instant before = NOW.plus(Duration.ofDays(3));
    assertEquals(2, store().purgeAudit(before, 2));
    assertEquals(1, store().purgeAudit(before, 2));
    assertEquals(0, store().purgeAudit(before, 2));
    assertEquals(List.of("day 3", "day 4"), audit().stream().map(AuditEntry::subject).toList());
  }

  @Test
  default void theAuditIsReadInTheOrderItWasWrittenIn() {
    for (int i = 0; i < 5; i++) {
      store().note(entry("entry " + i, NOW.minusSeconds(i)));
    }
    List<AuditRow> all = all(AuditFilter.ALL);
    List<Long> numbers = all.stream().map(AuditRow::no).toList();
    assertEquals(numbers.stream().distinct().sorted().toList(), numbers);
    assertTrue(numbers.get(0) > 0);
    assertEquals(
        List.of("entry 0", "entry 1", "entry 2", "entry 3", "entry 4"), subjects(AuditFilter.ALL));
    assertEquals(all.subList(0, 2), store().audit(AuditFilter.ALL, 0, 2));
    assertEquals(all.subList(2, 4), store().audit(AuditFilter.ALL, numbers.get(1), 2));
    assertEquals(all.subList(4, 5), store().audit(AuditFilter.ALL, numbers.get(3), 2));
    assertEquals(List.of(), store().audit(AuditFilter.ALL, numbers.get(4), 2));
    assertEquals(List.of(), store().audit(AuditFilter.ALL, Long.MAX_VALUE, 2));
  }

  @Test
  default void numbersOfTheAuditAreNotUsedAgain() {
    store().note(entry("old", NOW));
    long old = all(AuditFilter.ALL).get(0).no();
    assertEquals(1, store().purgeAudit(NOW.plusSeconds(1), 10));
    store().note(entry("new", NOW));
    assertTrue(all(AuditFilter.ALL).get(0).no() > old);
  }

  private void noteAction(String action, String subject, int second) {
    store().note(new AuditEntry(NOW.plusSeconds(second), MINTER, "", action, subject, ""));
  }

  private static AuditFilter action(String action) {
    return new AuditFilter(null, null, Action.parse(action), null, null);
  }

  @Test
  default void aFilterOfTheAuditHoldsForEveryEntryThatIsRead() {
    noteAction("topic.put", "a", 0);
    noteAction("topic.pause", "b", 1);
    noteAction("capability.revoke", "c", 2);
    noteAction("capability.revoke_key", "a", 3);
    noteAction("topic_put", "d", 4);
    Instant third = NOW.plusSeconds(2);
    Map<AuditFilter, String> expected = new HashMap<>();
    expected.put(AuditFilter.ALL, "a b c a d");
    expected.put(action("topic.put"), "a");
    expected.put(action("topic.pu"), "");
    expected.put(action("topic.p*"), "a b");
    expected.put(action("topic.put*"), "a");
    expected.put(action("topic_*"), "d");
    expected.put(action("TOPIC.*"), "");
    expected.put(action("t%*"), "");
    expected.put(action("capability.revoke"), "c");
    expected.put(action("capability.revoke*"), "c a");
    expected.put(action("*"), "a b c a d");
    expected.put(new AuditFilter(null, null, null, "a", null), "a a");
    expected.put(new AuditFilter(null, null, null, "A", null), "");
    expected.put(new AuditFilter(third, null, null, null, null), "c a d");
    expected.put(new AuditFilter(null, third, null, null, null), "a b");
    expected.put(new AuditFilter(third.plusMillis(1), null, null, null, null), "a d");
    expected.put(new AuditFilter(null, third.plusMillis(1), null, null, null), "a b c");
    expected.put(new AuditFilter(third, third, null, null, null), "");
    expected.put(new AuditFilter(NOW, third, Action.parse("topic.*"), "b", null), "b");
    expected.forEach(
        (wanted, found) ->
            assertEquals(found, String.join(" ", subjects(wanted)), wanted::toString));
  }

  private void noteActor(Actor actor, String subject) {
    store().note(new AuditEntry(NOW, actor, "", "topic.put", subject, ""));
  }

  private static AuditFilter actorName(String name) {
    return new AuditFilter(null, null, null, null, name);
  }

  @Test
  default void anActorIsFoundByNameAndOneWithoutByItsId() {
    noteActor(MINTER, "a");
    noteActor(new Actor("k1:01", MINTER.name()), "b");
    noteActor(new Actor("k1:02", null), "c");
    noteActor(Actor.ofConsole("ann"), "d");
    noteActor(Actor.SERVICE, "e");
    assertEquals(List.of("a", "b"), subjects(actorName("on-call \u20ac")));
    assertEquals(List.of("c"), subjects(actorName("k1:02")));
    assertEquals(List.of("d"), subjects(actorName("console:ann")));
    assertEquals(List.of("e"), subjects(actorName("service")));
    assertEquals(List.of(), subjects(actorName("k1:00")));
    assertEquals(List.of(), subjects(actorName("ON-CALL \u20ac")));
    assertEquals(MINTER, store().audit(actorName("on-call \u20ac"), 0, 1).get(0).entry().actor());
  }

  @Test
  default void aNoteNamesACapabilityAndAUserAConsoleSession() {
    String longest = "\ud83d\ude80".repeat(127) + "x";
    Minting session = ofConsole(id("k1", 1), "ann", NOW.plusSeconds(60));
    Minting byUser =
        new Minting(id("k1", 2), List.of(), Actor.ofConsole("ann"), NOW, null, longest);
    Minting unnamed = new Minting(id("k1", 3), List.of(), MINTER, NOW, null, null);
    Minting noted = minting(id("k1", 4), NOW.plusSeconds(60));
    Map<CapabilityId, String> names = new HashMap<>();
    names.put(session.id(), "console:ann");
    names.put(byUser.id(), longest);
    names.put(noted.id(), "orders of shop 7");
    Set<String> nonces = new HashSet<>(Set.of(id("k1", 9).nonce()));
    for (Minting minting : List.of(session, byUser, unnamed, noted)) {
      store().mint(minting, entry(minting.id().nonce()));
      nonces.add(minting.id().nonce());
      String name = names.get(minting.id());
      assertEquals(name, minting.name());
      assertEquals(new Answer(false, name), store().answer(minting.id()));
      store().revoke(minting.id().nonce(), "k1", entry("revoked"));
      assertEquals(new Answer(true, name), store().answer(minting.id()));
    }
    assertEquals(new Answer(false, null), store().answer(id("k1", 9)));
    Map<String, String> expected = new HashMap<>();
    names.forEach((id, name) -> expected.put(id.nonce(), name));
    assertEquals(expected, store().names(nonces));
    assertEquals(Map.of(), store().names(List.of()));
    assertEquals(3, store().mintings(), "a user's own minting counts as any");
    store().purgeMintings(NOW.plusSeconds(60), 10);
    assertEquals(new Answer(false, null), store().answer(session.id()));
  }

  @Test
  default void aListHasOneKindOrAll() {
    Minting session = ofConsole(id("k1", 1), "ann", NOW.plusSeconds(60));
    Minting ended = ofConsole(id("k1", 3), "ann", NOW.plusSeconds(60));
    Minting over = ofConsole(id("k1", 5), "ann", NOW);
    Minting minted = minting(id("k1", 2), NOW.plusSeconds(60));
    Minting revoked = minting(id("k1", 4), NOW.plusSeconds(60));
    for (Minting each : List.of(session, ended, over, minted, revoked)) {
      store().mint(each, entry(each.id().nonce()));
    }
    for (Minting each : List.of(ended, over, revoked)) {
      store().revoke(each.id().nonce(), "k1", entry("revoked"));
    }
    store().revoke(id("k1", 6).nonce(), null, entry("6"));
    store().revokeKey("k2", entry("k2"));
    assertEquals(List.of(session, ended), mintings(Kind.CONSOLE));
    assertEquals(
        List.of(minted.id(), revoked.id(), id("k1", 6)).stream()
            .map(id -> "nonce:" + id.nonce())
            .collect(Collectors.joining(" ", "", " key:k2")),
        subjects(Kind.MINTED));
    assertEquals(7, listed(Kind.ALL, NOW).size());
    assertEquals(
        List.of(Optional.empty(), Optional.of(NOW)),
        listed(Kind.CONSOLE, NOW).stream()
            .map(each -> Optional.ofNullable(each.revokedAt()))
            .toList());
  }

  private List<Minting> mintings(Kind kind) {
    return listed(kind, NOW).stream().map(each -> requireNonNull(each.minting())).toList();
  }

  private String subjects(Kind kind) {
    return listed(kind, NOW).stream()
        .map(ListedCapability::subject)
        .collect(Collectors.joining(" "));
  }

  @Test
  default void whoReadsTheAuditWhileItIsWrittenMissesNothing() throws Exception {
    int writers = 4;
    int each = 50;
    ExecutorService threads = Executors.newFixedThreadPool(writers);
    List<AuditRow> read = new ArrayList<>();
    try {
      List<Future<?>> writing = new ArrayList<>();
      for (int writer = 0; writer < writers; writer++) {
        writing.add(threads.submit(() -> noteMany(each)));
      }
      boolean isOver = false;
      while (!isOver) {
        // Before the last read, so that the read sees all that was written.
        isOver = writing.stream().allMatch(Future::isDone);
        read.addAll(store().audit(AuditFilter.ALL, last(read), AuditService.MAX_ROWS));
      }
      for (Future<?> one : writing) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertEquals(writers * each, read.size());
    assertEquals(all(AuditFilter.ALL), read);
  }

  private void noteMany(int entries) {
    for (int i = 0; i < entries; i++) {
      store().note(entry("entry " + i));
    }
  }

  private static long last(List<AuditRow> rows) {
    return rows.isEmpty() ? 0 : rows.get(rows.size() - 1).no();
  }
}
