package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.Adoption;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.StoresRefusedException;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.InMemoryBroker.CommitFault;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Fault;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Topic;

/** A store that another one took the place of, found at a start or by a running worker. */
class OtherStoresTest {
  private static final String TOPIC = "orders";
  private static final Map<String, String> SETTINGS =
      Map.of(
          "mailbox.workers", "1",
          "mailbox.ready_shards", "1",
          "mailbox.projection.entries", "128");

  private static final Map<String, String> TWO_WORKERS =
      Map.of(
          "mailbox.workers", "2",
          "mailbox.ready_shards", "8",
          "mailbox.projection.entries", "128");

  private static final Instant LATER = Instant.parse("2100-01-01T00:00:00Z");

  private final MailboxRig rig = new MailboxRig(1, SETTINGS);

  @BeforeEach
  void open() {
    accept("one");
    accept("two");
  }

  private void accept(String key) {
    assertFalse(assertInstanceOf(Accepted.class, rig.send(TOPIC, key, "x")).duplicate());
  }

  private boolean isDuplicate(String key) {
    return assertInstanceOf(Accepted.class, rig.send(TOPIC, key, "x")).duplicate();
  }

  private String refusal() {
    return String.valueOf(assertThrows(StoresRefusedException.class, rig::crash).getMessage());
  }

  private void startAccepting(String refusal) {
    rig.crashInto(accepting(SETTINGS, code(refusal)));
  }

  private static String code(String refusal) {
    return refusal.substring(refusal.lastIndexOf('=') + 1);
  }

  private static Map<String, String> accepting(Map<String, String> settings, String codes) {
    Map<String, String> accepting = new HashMap<>(settings);
    accepting.put("mailbox.accept", codes);
    return accepting;
  }

  /** Copies what each refused start prints, as an operator does; returns what the last one took. */
  private String startAcceptingEach(Map<String, String> settings) {
    String codes = "none";
    for (int starts = 0; starts < 5; starts++) {
      try {
        rig.crashInto(accepting(settings, codes));
        return codes;
      } catch (StoresRefusedException e) {
        codes = code(String.valueOf(e.getMessage()));
      }
    }
    throw new AssertionError("refused again and again: " + codes);
  }

  /** The same numbers by another process. */
  private void replaceDatabaseByForeign() {
    InMemoryProjectionStore foreign = new InMemoryProjectionStore();
    SampleShard shard = new SampleShard(1, 0);
    for (long number = 1; number <= rig.log.applied(WorkerId.of(0)).number(); number++) {
      SampleBatch.write(
          foreign, SampleBatch.of(0, number, List.of(shard.row("f" + number, LATER))));
    }
    rig.log.replaceBy(foreign);
  }

  /** So many batches that the log does not reach back to what was before. */
  private void outrun() {
    for (int i = 0; i < 2 * BatchLogEntry.SEED; i++) {
      accept("later" + i);
    }
  }

  @Test
  void aRefusedStartChangesNothing() {
    BatchId before = rig.log.applied(WorkerId.of(0));
    InMemoryProjectionStore older = rig.log.copy();
    outrun();
    BatchId newer = rig.log.applied(WorkerId.of(0));
    rig.log.replaceBy(older);
    assertEquals(refusal(), refusal());
    assertEquals(before, rig.log.applied(WorkerId.of(0)));
    assertFalse(newer.equals(before));
  }

  @Test
  void anAcceptedCodeIsSpent() {
    InMemoryProjectionStore older = rig.log.copy();
    outrun();
    rig.log.replaceBy(older);
    String refusal = refusal();
    assertTrue(refusal.contains("database-older-"), refusal);
    startAccepting(refusal);
    assertFalse(isDuplicate("later0"), "a second message rather than none");
    rig.log.replaceBy(older);
    assertThrows(StoresRefusedException.class, rig::crash, "with the accepted code");
  }

  @Test
  void aDatabaseThatTheLogReachesBackToIsBroughtUpToDate() {
    InMemoryProjectionStore older = rig.log.copy();
    accept("three");
    rig.log.replaceBy(older);
    rig.crash();
    assertTrue(isDuplicate("three"));
    assertEquals("", rig.mailbox().storeMismatch());
    assertEquals(3, rig.ledger(rig.mailbox().directory().existing(new TopicName(TOPIC)), 0).size());
  }

  @Test
  void repeatedSendsOfMessagesThatAnOlderBrokerLostAreTaken() {
    rig.broker.crash();
    NavigableMap<Long, BatchLogEntry> older = rig.broker.logOf(WorkerId.of(0));
    rig.crash();
    accept("three");
    accept("four");
    rig.broker.crash();
    rig.broker.replaceLog(WorkerId.of(0), older);
    String refusal = refusal();
    assertTrue(refusal.contains("broker-older-"), refusal);
    startAccepting(refusal);
    assertTrue(isDuplicate("one"));
    assertFalse(isDuplicate("three"));
    assertFalse(isDuplicate("four"));
    rig.crash();
  }

  @Test
  void storesOfTwoHistoriesAreRefused() {
    replaceDatabaseByForeign();
    String refusal = refusal();
    assertTrue(refusal.contains("foreign-"), refusal);
    startAccepting(refusal);
    assertFalse(isDuplicate("three"));
    rig.crash();
  }

  /** The entries of a log as it is after two batches, by their places; the newest is -1. */
  @ParameterizedTest
  @CsvSource({"0", "1", "200", "-2", "-1"})
  void aDamagedLogIsNamedAndHasAWayOut(int place) {
    rig.broker.crash();
    List<Long> numbers = List.copyOf(rig.broker.logOf(WorkerId.of(0)).keySet());
    long damaged = numbers.get(Math.floorMod(place, numbers.size()));
    rig.broker.damageLog(WorkerId.of(0), damaged);
    BatchId before = rig.log.applied(WorkerId.of(0));

    String refusal = refusal();
    assertEquals(refusal, refusal(), "a refused start changes nothing");
    assertEquals(before, rig.log.applied(WorkerId.of(0)));
    assertTrue(refusal.contains("the log of worker 0 in the broker is damaged"), refusal);
    assertTrue(refusal.contains("entry " + damaged + " "), refusal);
    assertTrue(refusal.contains("=log-damaged-"), refusal);

    startAccepting(refusal);
    assertTrue(rig.mailbox().storeMismatch().contains("is damaged"));
    assertTrue(isDuplicate("one"));
    assertTrue(isDuplicate("two"));
    assertEquals(List.of(1L, 2L, (1L << 32) + 3), seqsWithAThird(), "no number is given twice");
  }

  /** The numbers of all messages once another was accepted and a start had nothing to refuse. */
  private List<Long> seqsWithAThird() {
    accept("three");
    rig.crashInto(SETTINGS);
    assertEquals("", rig.mailbox().storeMismatch(), "it is over");
    assertTrue(isDuplicate("three"));
    Delivered all = assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 10));
    return all.messages().stream().map(leased -> leased.message().envelope().seq()).toList();
  }

  /** How a log can be missing that was made. */
  enum Loss {
    QUEUE,
    ENTRIES
  }

  private void lose(Loss loss, int worker) {
    rig.broker.crash();
    switch (loss) {
      case QUEUE -> rig.broker.removeLog(WorkerId.of(worker));
      case ENTRIES -> rig.broker.replaceLog(WorkerId.of(worker), new TreeMap<>());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aMissingLogIsNeverMadeAgainWithoutACode(Loss loss) {
    lose(loss, 0);
    BatchId before = rig.log.applied(WorkerId.of(0));
    String refusal = refusal();
    assertEquals(refusal, refusal(), "a refused start changes nothing");
    assertFalse(rig.broker.hasLog(WorkerId.of(0)));
    assertTrue(refusal.contains("no entries of the log of worker 0"), refusal);
    assertTrue(refusal.contains("=log-missing-"), refusal);

    startAccepting(refusal);
    assertTrue(rig.mailbox().storeMismatch().contains("no entries of the log of worker 0"));
    assertEquals(before, rig.log.applied(WorkerId.of(0)));
    assertFalse(isDuplicate("one"), "a second message rather than none");
    assertEquals(
        List.of(1L, 2L, (1L << 32) + 3, (1L << 32) + 4),
        seqsWithAThird(),
        "no number is given twice");
  }

  /** A code that was given for one log permits nothing else. */
  @Test
  void eachMissingLogIsNamedByTheCode() {
    startWithTwoWorkers();
    acceptByBoth("before");
    lose(Loss.QUEUE, 1);
    rig.crashInto(accepting(TWO_WORKERS, code(twoWorkersRefused())));
    lose(Loss.ENTRIES, 0);
    lose(Loss.QUEUE, 1);
    String both = twoWorkersRefused();
    assertTrue(both.contains("worker 0") && both.contains("and 1 more"), both);
    rig.crashInto(accepting(TWO_WORKERS, code(both)));
    acceptByBoth("after");
    startWithTwoWorkers();
    assertEquals("", rig.mailbox().storeMismatch());
  }

  private String twoWorkersRefused() {
    return String.valueOf(
        assertThrows(StoresRefusedException.class, this::startWithTwoWorkers).getMessage());
  }

  /** The removed worker's log may have had what the database lacks. */
  @Test
  void theLogOfAWorkerThatIsNoLongerThereMayNotBeMissingEither() {
    startWithTwoWorkers();
    rig.crashInto(SETTINGS);
    lose(Loss.QUEUE, 1);
    assertTrue(refusal().contains("no entries of the log of worker 1"));
  }

  /** An earlier version made logs and noted none; a crash can leave a queue without entries. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLogThatTheDatabaseDoesNotKnowIsKeptOrMade(boolean isThere) {
    MailboxRig fresh = new MailboxRig(1, SETTINGS);
    fresh.log.replaceBy(new InMemoryProjectionStore());
    fresh.broker.crash();
    if (!isThere) {
      fresh.broker.replaceLog(WorkerId.of(0), new TreeMap<>());
    }
    fresh.log.failNext(Fault.BEFORE);
    assertThrows(UnavailableException.class, fresh::crash);
    fresh.crash();
    assertEquals(List.of(WorkerId.of(0)), fresh.log.workers());
    assertInstanceOf(Accepted.class, fresh.send(TOPIC, "one", "x"));

    fresh.broker.crash();
    fresh.broker.removeLog(WorkerId.of(0));
    assertThrows(StoresRefusedException.class, fresh::crash);
  }

  /** The database lacks the batch of the damaged entry: a second message rather than none. */
  @Test
  void whatOnlyADamagedEntryKnewIsSentAgain() {
    InMemoryProjectionStore older = rig.log.copy();
    accept("three");
    rig.broker.crash();
    rig.log.replaceBy(older);
    for (long number : rig.broker.logOf(WorkerId.of(0)).keySet()) {
      rig.broker.damageLog(WorkerId.of(0), number);
    }
    startAccepting(refusal());
    assertTrue(isDuplicate("two"));
    assertFalse(isDuplicate("three"));
    rig.crashInto(SETTINGS);
    assertTrue(isDuplicate("three"));
  }

  @Test
  void aRunningWorkerThatFindsItsLogDamagedTakesNoSendsAndHandsOutMessages() {
    rig.broker.failNextCommit(CommitFault.BEFORE);
    rig.send(TOPIC, "lost session", "x");
    long damaged = rig.broker.logOf(WorkerId.of(0)).lastKey();
    rig.broker.damageLog(WorkerId.of(0), damaged);
    rig.time.advance(Duration.ofSeconds(5));

    SendOutcome refused = rig.send(TOPIC, "three", "x");
    assertEquals("store_mismatch", assertInstanceOf(Refusal.class, refused).reason());
    assertTrue(rig.mailbox().storeMismatch().contains("entry " + damaged));
    rig.pass(Duration.ofSeconds(11));
    assertEquals("", rig.mailbox().projectionTrouble(), "no transaction is open");
    assertEquals(2, assertInstanceOf(Delivered.class, rig.recvNow(TOPIC, 10)).messages().size());
  }

  /** The server ended before: a constraint that somebody added, an index that is broken. */
  @Test
  void aBatchThatTheDatabaseRefusesNeedsACodeAndCostsItsPagesAlone() {
    InMemoryProjectionStore older = rig.log.copy();
    accept("three");
    accept("four");
    rig.log.replaceBy(older);
    long refused = older.applied(WorkerId.of(0)).number() + 1;
    rig.log.refuse(batch -> batch.id().number() == refused ? "ledger_page has none" : "");
    String refusal = refusal();
    assertTrue(refusal.contains("database-refuses-"), refusal);
    assertTrue(refusal.contains("ledger_page has none"), refusal);
    assertTrue(refusal.contains("topic id 1, shard 0, from number 3"), refusal);
    assertEquals(refusal, refusal());

    startAccepting(refusal);
    assertTrue(rig.mailbox().storeMismatch().contains("ledger_page has none"));
    assertTrue(isDuplicate("one"));
    assertFalse(isDuplicate("three"), "the database refuses its key");
    assertTrue(isDuplicate("four"));
    rig.crash();
    assertEquals("", rig.mailbox().storeMismatch());
    accept("five");
  }

  /** A server gave numbers twice: what it answered is kept, the numbers go on behind both. */
  @Test
  void numbersThatWereGivenTwiceCostTheirLedgerEntriesAndNoKey() {
    InMemoryProjectionStore older = rig.log.copy();
    accept("three");
    rig.log.replaceBy(older);
    SampleShard shard =
        new SampleShard(1, 0, requireNonNull(older.heads().get(new LedgerId(1, 0))));
    SampleBatch.write(rig.log, SampleBatch.of(7, 1, List.of(shard.row("other", LATER))));
    rig.log.adopt(new Adoption(WorkerId.of(7), BatchId.NONE, Long.MAX_VALUE, 0));
    rig.broker.makeLog(WorkerId.of(7), BatchId.NONE);
    String refusal = refusal();
    assertTrue(refusal.contains("database-refuses-"), refusal);
    startAccepting(refusal);
    assertTrue(isDuplicate("three"));
    accept("four");
    rig.crash();
    assertEquals("", rig.mailbox().storeMismatch());
    List<LedgerEntry> entries = rig.ledger(topic(), 0);
    assertEquals(4, entries.size());
    assertTrue(entries.get(3).seq() > 1L << 32);
  }

  private Topic topic() {
    return rig.mailbox().directory().existing(new TopicName(TOPIC));
  }

  /** As a server left it that wrote the pages of two logs in the wrong order. */
  @Test
  void aHeadThatIsBehindItsPagesIsMended() {
    rig.log.putHeads(Map.of(new LedgerId(1, 0), LedgerHead.after(rig.ledger(topic(), 0).get(0))));
    rig.crash();
    assertEquals("", rig.mailbox().storeMismatch());
    accept("three");
    assertEquals(
        List.of(1L, 2L, 3L), rig.ledger(topic(), 0).stream().map(LedgerEntry::seq).toList());
    rig.crash();
  }

  /** Somebody restored one table and not the other. */
  @Test
  void aLedgerWithoutItsLastPagesNeedsACode() {
    moveHead(5);
    String refusal = refusal();
    assertTrue(refusal.contains("ledger-damaged-"), refusal);
    assertTrue(refusal.contains("topic id 1, shard 0 ends with number 7, its last page with 2"));
    startAccepting(refusal);
    accept("three");
    assertTrue(rig.ledger(topic(), 0).get(2).seq() > 7);
    rig.crash();
    assertEquals("", rig.mailbox().storeMismatch());
  }

  /** A database that was restored in part, from another moment than the broker. */
  @Test
  void anOlderDatabaseThatLacksPagesAsWellStartsOnceBothAreAccepted() {
    InMemoryProjectionStore older = rig.log.copy();
    outrun();
    rig.log.replaceBy(older);
    moveHead(5);
    String codes = startAcceptingEach(SETTINGS);
    assertTrue(codes.matches("database-older-[0-9a-f]{8},ledger-damaged-[0-9a-f]{8}"), codes);
    accept("three");
    rig.crashInto(SETTINGS);
    assertEquals("", rig.mailbox().storeMismatch());
    assertTrue(isDuplicate("three"));
  }

  /** Moves the head of the topic's ledger beyond its last page. */
  private void moveHead(int by) {
    LedgerId ledger = new LedgerId(1, 0);
    LedgerHead end = requireNonNull(rig.log.heads().get(ledger));
    rig.log.putHeads(Map.of(ledger, new LedgerHead(end.seq() + by, end.link())));
  }

  @Test
  void aStartThatRefusesALedgerLeavesTheTableOfTopicsAsItIs() {
    InMemoryTopicStore older = rig.topics.copy();
    assertInstanceOf(Accepted.class, rig.send("since", "key", "x"));
    rig.topics.replaceBy(older);
    moveHead(5);
    String refusal = refusal();
    assertTrue(refusal.contains("Nothing was changed"), refusal);
    assertEquals(older.all(), rig.topics.all());
    startAccepting(refusal);
    assertEquals(2, rig.topics.all().size(), "its queues say that it was made");
  }

  private void startWithTwoWorkers() {
    rig.crashInto(TWO_WORKERS);
  }

  /** Has both workers write batches. */
  private void acceptByBoth(String prefix) {
    for (int i = 0; i < 20; i++) {
      assertInstanceOf(Accepted.class, rig.send("both", prefix + i, "x"));
    }
  }

  private void damageNewest(int worker) {
    rig.broker.crash();
    rig.broker.damageLog(WorkerId.of(worker), rig.broker.logOf(WorkerId.of(worker)).lastKey());
  }

  @Test
  void aDamagedLogBesideARefusedBatchOfAnotherWorkerHasAWayOut() {
    startWithTwoWorkers();
    acceptByBoth("before");
    InMemoryProjectionStore older = rig.log.copy();
    acceptByBoth("after");
    damageNewest(0);
    rig.log.replaceBy(older);
    long refused = older.applied(WorkerId.of(1)).number() + 1;
    rig.log.refuse(
        batch ->
            batch.worker().equals(WorkerId.of(1)) && batch.id().number() == refused
                ? "ledger_page has none"
                : "");
    String codes = startAcceptingEach(TWO_WORKERS);
    assertTrue(codes.matches("log-damaged-[0-9a-f]{8},database-refuses-[0-9a-f]{8}"), codes);
    accept("three");
    startWithTwoWorkers();
    assertEquals("", rig.mailbox().storeMismatch());
    assertTrue(isDuplicate("three"));
  }

  /**
   * The newest entry took the place of many, as a smaller log is shortened at once. So nothing
   * tells how many are missing, and the first worker takes all the time that there is.
   */
  @Test
  void aDamagedLogIsToldEvenIfOtherLogsTakeAMomentToArrive() {
    startWithTwoWorkers();
    long before = rig.log.applied(WorkerId.of(0)).number();
    for (int i = 0; rig.log.applied(WorkerId.of(0)).number() == before; i++) {
      assertInstanceOf(Accepted.class, rig.send("both", "key" + i, "x"));
    }
    damageNewest(0);
    rig.broker.delayLogs(rig.time::advance);
    String refusal = refusal();
    rig.broker.delayLogs(null);
    assertTrue(refusal.contains("=log-damaged-"), refusal);
    rig.crashInto(accepting(TWO_WORKERS, code(refusal)));
    accept("three");
  }

  /** No operator is there to decide. */
  @Test
  void aRunningWorkerThatMeetsAnotherBrokerTakesNoSendsAndHandsOutMessages() {
    rig.broker.failNextCommit(CommitFault.BEFORE);
    rig.send(TOPIC, "lost session", "x");
    NavigableMap<Long, BatchLogEntry> foreign = new TreeMap<>();
    BatchLogEntry.seed(BatchId.NONE).forEach(entry -> foreign.put(entry.number(), entry));
    rig.broker.replaceLog(WorkerId.of(0), foreign);
    rig.time.advance(Duration.ofSeconds(5));

    SendOutcome refused = rig.send(TOPIC, "three", "x");
    assertEquals("store_mismatch", assertInstanceOf(Refusal.class, refused).reason());
    assertTrue(rig.mailbox().storeMismatch().contains("has batch 0 as the last of worker 0"));
    rig.pass(Duration.ofSeconds(11));
    assertEquals("", rig.mailbox().projectionTrouble(), "no transaction is open");
    RecvOutcome received =
        MailboxRig.answered(rig.recv(TOPIC, 10, Duration.ofHours(1), Duration.ZERO).outcome());
    assertEquals(2, assertInstanceOf(Delivered.class, received).messages().size());
  }
}
