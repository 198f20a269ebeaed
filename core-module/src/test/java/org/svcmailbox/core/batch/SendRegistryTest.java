package org.svcmailbox.core.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.idempotency.Reservation;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.Fault;
import org.svcmailbox.test.concurrent.Together;

class SendRegistryTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant LATER = NOW.plusSeconds(60);
  private static final Taken UNCONFIRMED = new Taken.Unconfirmed();
  private static final Taken UNREADABLE = new Taken.Unreadable();
  private static final Taken EXPIRED = new Taken.Expired();

  private final TestTime time = new TestTime();
  private final InMemoryProjectionStore store = new InMemoryProjectionStore();
  private final SendRegistry registry = new SendRegistry(store, time::nanos);
  private final StoredLedgers ledgers = new StoredLedgers(registry);
  private final SampleShard shard = new SampleShard(1, 0);

  private void take(int worker, long number, List<Row> rows) throws KeyTakenException {
    registry.take(SampleBatch.of(worker, number, rows), NOW);
  }

  /** A batch that the broker has. */
  private void send(int worker, long number, List<Row> rows) throws KeyTakenException {
    take(worker, number, rows);
    registry.resolve(WorkerId.of(worker), SampleBatch.id(number));
  }

  private Map<IdempotencyKey, Taken> find(List<Row> rows) {
    return registry.find(rows.stream().map(Row::key).toList(), NOW);
  }

  /** The state of all of these. */
  private static Map<IdempotencyKey, Taken> all(List<Row> rows, Taken state) {
    return rows.stream().collect(Collectors.toMap(Row::key, row -> state));
  }

  private static Map<IdempotencyKey, Taken> confirmed(List<Row> rows) {
    return rows.stream()
        .collect(Collectors.toMap(Row::key, row -> new Taken.Confirmed(row.reservation())));
  }

  @Test
  void aKeyIsFreeThenUnconfirmedThenConfirmed() throws KeyTakenException {
    List<Row> rows = shard.rows("k", 3, LATER);
    assertEquals(Map.of(), find(rows));
    take(0, 1, rows);
    assertEquals(all(rows, UNCONFIRMED), find(rows));
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    assertEquals(confirmed(rows), find(rows));
    registry.projector().drain();
    assertEquals(confirmed(rows), find(rows));
    assertEquals(3, registry.countKeys());
  }

  @Test
  void whatIsForgottenOfAWorkerIsLoadedAgainAndOthersGoOn() throws KeyTakenException {
    SampleShard other = new SampleShard(1, 1);
    List<Row> applied = shard.rows("applied", 2, LATER);
    List<Row> ofOther = other.rows("other", 2, LATER);
    send(0, 1, applied);
    send(1, 1, ofOther);
    registry.projector().drain();
    List<Row> pending = shard.rows("pending", 2, LATER);
    send(0, 2, pending);
    List<Row> open = shard.rows("open", 2, LATER);
    take(0, 3, open);
    take(1, 2, other.rows("open of other", 3, LATER));

    registry.forget(WorkerId.of(0));
    for (List<Row> free : List.of(applied, pending, open)) {
      assertEquals(Map.of(), find(free));
    }
    assertEquals(confirmed(ofOther), find(ofOther));
    assertEquals(5, registry.countKeys());
    assertEquals(Set.of(1), registry.openTopics());
    assertEquals("", registry.projector().trouble());

    // Another process has written what was pending, and more.
    List<Row> later = shard.rows("later", 1, LATER);
    SampleBatch.write(store, SampleBatch.of(0, 2, pending));
    SampleBatch.write(store, SampleBatch.of(0, 3, later));
    registry.load(List.of(WorkerId.of(0)));
    for (List<Row> known : List.of(applied, pending, later, ofOther)) {
      assertEquals(confirmed(known), find(known));
    }
    assertEquals(Map.of(), find(open));
    assertEquals(LedgerHead.after(later.get(0).entry()), registry.head(shard.ledger()));
  }

  @Test
  void aLoadLeavesTheHeadsThatTheDatabaseIsBehindOf() throws KeyTakenException {
    List<Row> rows = shard.rows("k", 2, LATER);
    send(0, 1, rows.subList(0, 1));
    registry.projector().drain();
    send(0, 2, rows.subList(1, 2));
    registry.load(List.of(WorkerId.of(1)));
    assertEquals(LedgerHead.after(rows.get(1).entry()), registry.head(shard.ledger()));
  }

  @Test
  void aPurgeLeavesTheKeysOfAForgottenWorker() throws KeyTakenException {
    send(0, 1, shard.rows("forgotten", 2, NOW));
    send(1, 1, new SampleShard(1, 1).rows("kept", 3, NOW));
    registry.projector().drain();
    registry.forget(WorkerId.of(0));
    assertEquals(3, registry.purgeExpired(LATER, 100));
    assertEquals(2, store.countKeys());
    assertEquals(0, registry.countKeys());
  }

  /** Its message may be the broker's, but then another process knows of it. */
  @Test
  void aForgottenBatchReturnsTheKeysThatItTookFromOthers() throws KeyTakenException {
    Row letter = shard.row("k", LATER);
    send(1, 1, List.of(letter));
    Row again = shard.row("k", LATER.plusSeconds(1));
    registry.take(
        SampleBatch.of(0, 1, List.of(again)), NOW, Map.of(letter.key(), letter.reservation()));
    assertEquals(all(List.of(letter), UNCONFIRMED), find(List.of(letter)));
    registry.forget(WorkerId.of(0));
    assertEquals(confirmed(List.of(letter)), find(List.of(letter)));
  }

  @Test
  void onlyConfirmedBatchesAreProjected() throws KeyTakenException {
    List<Row> rows = shard.rows("k", 3, LATER);
    take(0, 1, rows);
    registry.projector().drain();
    time.advance(Duration.ofSeconds(1));
    registry.projector().step();
    assertEquals(BatchId.NONE, store.applied(WorkerId.of(0)));
    assertEquals(0, store.countKeys());
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    registry.projector().drain();
    assertEquals(SampleBatch.id(1), store.applied(WorkerId.of(0)));
  }

  @Test
  void onlyKeysOfAppliedPagesAreUnreadableWithoutTheDatabase() throws KeyTakenException {
    List<Row> applied = shard.rows("applied", 2, LATER);
    List<Row> over = shard.rows("over", 1, NOW);
    send(0, 1, applied);
    send(0, 2, over);
    registry.projector().drain();
    List<Row> pending = shard.rows("pending", 2, LATER);
    List<Row> open = shard.rows("open", 2, LATER);
    List<Row> free = shard.rows("free", 2, LATER);
    send(0, 3, pending);
    take(0, 4, open);
    store.away(true);

    assertEquals(all(applied, UNREADABLE), find(applied));
    assertEquals(all(over, EXPIRED), find(over));
    assertEquals(confirmed(pending), find(pending));
    assertEquals(all(open, UNCONFIRMED), find(open));
    assertEquals(Map.of(), find(free));
    registry.resolve(WorkerId.of(0), SampleBatch.id(4));
    send(0, 5, free);
    assertEquals(confirmed(free), find(free), "the database is not asked");

    store.away(false);
    assertEquals(confirmed(applied), find(applied));
  }

  @Test
  void aKeyWhoseWindowIsOverIsExpiredInAnyState() throws KeyTakenException {
    Row row = shard.row("k", LATER);
    List<IdempotencyKey> key = List.of(row.key());
    take(0, 1, List.of(row));
    assertEquals(Map.of(row.key(), EXPIRED), registry.find(key, LATER));
    assertEquals(Map.of(row.key(), UNCONFIRMED), registry.find(key, LATER.minusMillis(1)));
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    assertEquals(Map.of(row.key(), EXPIRED), registry.find(key, LATER));
    registry.projector().drain();
    assertEquals(Map.of(row.key(), EXPIRED), registry.find(key, LATER));
  }

  @Test
  void aKeyWhosePageWasPurgedMeanwhileIsFree() throws KeyTakenException {
    List<Row> rows = shard.rows("k", 2, LATER);
    send(0, 1, rows);
    registry.projector().drain();
    assertEquals(2, registry.purgeExpired(LATER.plusMillis(1), 10));
    assertEquals(Map.of(), find(rows));
  }

  /** Another step of the worker, or another key of this one, is none of its business. */
  @Test
  void aKeyWhosePageTheDatabaseLostIsUnreadableUntilItIsThereAgain() throws KeyTakenException {
    List<Row> kept = shard.rows("kept", 2, LATER);
    List<Row> lost = shard.rows("lost", 2, LATER);
    send(0, 1, kept);
    registry.projector().drain();
    InMemoryProjectionStore earlier = store.copy();
    send(0, 2, lost);
    registry.projector().drain();
    store.replaceBy(earlier);

    List<Row> both = List.of(kept.get(0), lost.get(0), shard.row("new", LATER));
    assertEquals(
        Map.of(
            kept.get(0).key(),
            new Taken.Confirmed(kept.get(0).reservation()),
            lost.get(0).key(),
            UNREADABLE),
        find(both));
    assertEquals(BatchId.NONE.number() + 2, registry.projector().applied(WorkerId.of(0)).number());
    registry.projector().step();
    assertEquals(confirmed(lost), find(lost), "the look brought the database up to date");
  }

  @Test
  void ofTwoWorkersThatWantAKeyTheSecondGetsNothing() throws KeyTakenException {
    Row first = shard.row("wanted", LATER);
    take(0, 1, List.of(first));
    SampleShard other = new SampleShard(1, 1);
    List<Row> rows = new ArrayList<>(other.rows("before", 20, LATER));
    rows.add(other.row("wanted", LATER.plusMillis(1)));
    rows.addAll(other.rows("after", 20, LATER.plusMillis(2)));

    assertThrows(KeyTakenException.class, () -> take(1, 1, rows));
    assertEquals(Map.of(first.key(), UNCONFIRMED), find(rows));
    assertEquals(1, registry.countKeys());
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    registry.resolve(WorkerId.of(1), BatchId.NONE);
    assertEquals(confirmed(List.of(first)), find(rows), "it is still the first one's");
  }

  @Test
  void aKeyTwiceInOneBatchIsTaken() {
    List<Row> rows = List.of(shard.row("k", LATER), shard.row("k", LATER));
    assertThrows(KeyTakenException.class, () -> take(0, 1, rows));
    assertEquals(0, registry.countKeys());
  }

  @Test
  void ofManyWorkersThatWantTheSameKeysOneGetsAll() throws Exception {
    for (int round = 0; round < 20; round++) {
      List<Callable<Boolean>> attempts = new ArrayList<>();
      for (int worker = 0; worker < 4; worker++) {
        List<Row> rows = new ArrayList<>();
        SampleShard mine = new SampleShard(1, worker);
        for (int i = 0; i < 50; i++) {
          rows.add(mine.row(round + "-" + (worker % 2 == 0 ? i : 49 - i), LATER));
        }
        Batch batch = SampleBatch.of(worker, round + 1L, rows);
        attempts.add(() -> isTaken(batch));
      }
      assertEquals(1, Together.run(attempts).stream().filter(won -> won).count());
      assertEquals(50L * (round + 1), registry.countKeys());
    }
  }

  private boolean isTaken(Batch batch) {
    try {
      registry.take(batch, NOW);
      return true;
    } catch (KeyTakenException e) {
      return false;
    }
  }

  @Test
  void anExpiredKeyIsTakenOverAndOutlivesThePurgeOfItsOldPage() throws KeyTakenException {
    Row old = shard.row("k", NOW.minusSeconds(1));
    send(0, 1, List.of(old));
    registry.projector().drain();
    Row heir = new SampleShard(1, 1).row("k", LATER);
    take(1, 1, List.of(heir));
    assertEquals(0, registry.purgeExpired(NOW, 10), "it is not the old page's any more");
    assertEquals(all(List.of(heir), UNCONFIRMED), find(List.of(heir)));
    registry.resolve(WorkerId.of(1), SampleBatch.id(1));
    assertEquals(confirmed(List.of(heir)), find(List.of(heir)));
    assertEquals(1, registry.countKeys());
  }

  private Row letter(Row... others) throws KeyTakenException {
    Row letter = shard.row("k", LATER);
    List<Row> rows = new ArrayList<>(List.of(others));
    rows.add(letter);
    send(0, 1, rows);
    return letter;
  }

  /** The row of a message that a letter becomes, in a shard of another worker. */
  private static Row heir(Row letter) {
    return new SampleShard(1, 1).row("k", letter.reservation().expiresAt().plusMillis(1));
  }

  private void takeOver(Row heir, Row letter) throws KeyTakenException {
    registry.take(
        SampleBatch.of(1, 1, List.of(heir)), NOW, Map.of(letter.key(), letter.reservation()));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLettersKeyPassesToItsMessageWithTheCommit(boolean isApplied) throws KeyTakenException {
    Row letter = letter();
    if (isApplied) {
      registry.projector().drain();
    }
    Row heir = heir(letter);
    takeOver(heir, letter);
    assertEquals(all(List.of(heir), UNCONFIRMED), find(List.of(letter)));
    registry.resolve(WorkerId.of(1), SampleBatch.id(1));
    assertEquals(confirmed(List.of(heir)), find(List.of(letter)));
    registry.projector().drain();
    assertEquals(confirmed(List.of(heir)), find(List.of(letter)));
    assertEquals(1, registry.countKeys());

    SendRegistry next = new SendRegistry(store, time::nanos);
    SampleStart.begin(
        next,
        List.of(
            standing(0, SampleBatch.id(1), SampleBatch.id(1), true, List.of()),
            standing(1, SampleBatch.id(1), SampleBatch.id(1), true, List.of())));
    assertEquals(confirmed(List.of(heir)), next.find(List.of(heir.key()), NOW));
    assertEquals(1, next.countKeys());
    Instant between = letter.reservation().expiresAt();
    assertEquals(0, next.purgeExpired(between.plusMillis(1), 10), "the key is not the letter's");
    assertEquals(confirmed(List.of(heir)), next.find(List.of(heir.key()), between));
    assertEquals(1, next.purgeExpired(between.plusMillis(2), 10));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aLettersKeyComesBackIfTheBrokerDoesNotHaveTheMessage(boolean isApplied)
      throws KeyTakenException {
    Row other = shard.row("other", LATER);
    Row letter = letter(other);
    if (isApplied) {
      registry.projector().drain();
    }
    Row heir = heir(letter);
    for (int times = 0; times < 2; times++) {
      takeOver(heir, letter);
      registry.resolve(WorkerId.of(1), BatchId.NONE);
      assertEquals(confirmed(List.of(letter, other)), find(List.of(letter, other)));
      assertEquals(2, registry.countKeys());
    }
    takeOver(heir, letter);
    registry.resolve(WorkerId.of(1), SampleBatch.id(1));
    assertEquals(confirmed(List.of(heir, other)), find(List.of(letter, other)));
    assertEquals(2, registry.countKeys());
  }

  @Test
  void aLettersKeyThatWasPurgedMeanwhileDoesNotComeBack() throws KeyTakenException {
    Row other = shard.row("other", LATER);
    Row letter = letter(other);
    registry.projector().drain();
    takeOver(heir(letter), letter);
    assertEquals(1, registry.purgeExpired(LATER.plusMillis(1), 10), "the other");
    registry.resolve(WorkerId.of(1), BatchId.NONE);
    assertEquals(Map.of(), find(List.of(letter, other)));
    assertEquals(0, registry.countKeys());
  }

  @Test
  void onlyTheLettersReservationYields() throws KeyTakenException {
    Row letter = letter();
    Row stranger = new SampleShard(1, 2).row("k", LATER.plusMillis(5));
    Batch batch = SampleBatch.of(2, 1, List.of(stranger));
    assertThrows(KeyTakenException.class, () -> registry.take(batch, NOW));
    takeOver(heir(letter), letter);
    Map<IdempotencyKey, Reservation> outdated = Map.of(letter.key(), letter.reservation());
    assertThrows(KeyTakenException.class, () -> registry.take(batch, NOW, outdated));
    registry.resolve(WorkerId.of(1), BatchId.NONE);
    assertEquals(confirmed(List.of(letter)), find(List.of(letter)));
  }

  @Test
  void aBatchThatFailsAtAKeyGivesBackWhatItTookOver() throws KeyTakenException {
    Row letter = letter();
    Row taken = new SampleShard(1, 2).row("taken", LATER);
    take(2, 1, List.of(taken));
    SampleShard mine = new SampleShard(1, 1);
    List<Row> rows =
        new ArrayList<>(List.of(mine.row("k", LATER.plusMillis(1)), mine.row("taken", LATER)));
    for (int i = 0; i < 20; i++) {
      rows.add(mine.row("more-" + i, LATER));
    }
    Map<IdempotencyKey, Reservation> released = Map.of(letter.key(), letter.reservation());
    Batch batch = SampleBatch.of(1, 1, rows);
    assertThrows(KeyTakenException.class, () -> registry.take(batch, NOW, released));
    assertEquals(confirmed(List.of(letter)), find(List.of(letter)));
    assertEquals(2, registry.countKeys());
  }

  @Test
  void aBatchThatTheBrokerDoesNotHaveFreesItsKeys() throws KeyTakenException {
    List<Row> before = shard.rows("before", 1, LATER);
    List<Row> rows = new SampleShard(1, 0, registry.head(shard.ledger())).rows("k", 3, LATER);
    send(0, 1, before);
    take(0, 2, rows);
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));

    assertEquals(Map.of(), find(rows));
    assertEquals(confirmed(before), find(before));
    registry.projector().drain();
    assertEquals(SampleBatch.id(1), store.applied(WorkerId.of(0)));
    send(1, 1, rows);
    assertEquals(confirmed(rows), find(rows));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0:0", "1:9", "3:7", "2:9"})
  void aBatchThatNobodyKnowsIsAMismatch(String found) throws KeyTakenException {
    String[] id = found.split(":", 2);
    BatchId foreign = new BatchId(Long.parseLong(id[0]), Long.parseLong(id[1]));
    List<Row> rows = shard.rows("k", 2, LATER);
    send(0, 1, shard.rows("before", 1, LATER));
    take(0, 2, rows);

    for (int repeat = 0; repeat < 2; repeat++) {
      assertThrows(StoreMismatchException.class, () -> registry.resolve(WorkerId.of(0), foreign));
      assertEquals(all(rows, UNCONFIRMED), find(rows), "they are neither sent nor free");
      assertEquals(
          "the broker has batch " + id[0] + " as the last of worker 0, not batch 1",
          registry.mismatch().detail());
    }
    registry.projector().drain();
    assertEquals(SampleBatch.id(1), store.applied(WorkerId.of(0)));
    registry.resolve(WorkerId.of(0), SampleBatch.id(2));
    assertEquals(confirmed(rows), find(rows));
  }

  /** The next worker of the same number learns from the batch log what became of it. */
  @Test
  void anOpenBatchSurvivesTheWorkerThatTookIt() throws KeyTakenException {
    List<Row> first = shard.rows("a", 2, LATER);
    take(0, 1, first);
    registry.resolve(WorkerId.of(1), BatchId.NONE);
    assertEquals(all(first, UNCONFIRMED), find(first), "another worker's log says nothing of it");
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    assertEquals(confirmed(first), find(first));
    registry.projector().drain();
    assertEquals(2, store.countKeys(), "once");
  }

  @Test
  void aHeadMovesWhenItsBatchIsConfirmed() throws KeyTakenException {
    LedgerId ledger = shard.ledger();
    assertEquals(LedgerHead.EMPTY, registry.head(ledger));
    List<Row> rows = shard.rows("k", 3, LATER);
    take(0, 1, rows);
    assertEquals(LedgerHead.EMPTY, registry.head(ledger));
    store.away(true);
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    LedgerHead head = LedgerHead.after(rows.get(2).entry());
    assertEquals(head, registry.head(ledger));
    take(0, 2, shard.rows("lost", 2, LATER));
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    assertEquals(head, registry.head(ledger));
    store.away(false);
    registry.projector().drain();
    assertEquals(head, registry.head(ledger));
    assertEquals(head, store.heads().get(ledger));
  }

  private static StoreStanding standing(
      int worker, BatchId applied, BatchId last, boolean isKnown, List<Batch> records) {
    return new StoreStanding(
        WorkerId.of(worker), applied, applied, last, isKnown, records, Set.of(), List.of());
  }

  /** Of worker 0 the database has one batch of three, of worker 1 nothing. */
  @Test
  void aStartReplaysAllLogsBeforeItReadsTheFirstKey() {
    List<Row> ofOne = new SampleShard(1, 1).rows("b", 4, LATER);
    List<Row> rows = shard.rows("a", 3, LATER);
    List<Batch> zero = new ArrayList<>();
    List<Batch> one = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      zero.add(SampleBatch.of(0, i + 1, rows.subList(i, i + 1)));
    }
    one.add(SampleBatch.of(1, 1, ofOne.subList(0, 3)));
    one.add(SampleBatch.of(1, 2, ofOne.subList(3, 4)));
    SampleBatch.write(store, zero.get(0));

    SampleStart.begin(
        registry,
        List.of(
            standing(0, SampleBatch.id(1), SampleBatch.id(3), true, zero),
            standing(1, BatchId.NONE, SampleBatch.id(2), true, one)));

    assertEquals(confirmed(rows), find(rows));
    assertEquals(confirmed(ofOne), find(ofOne));
    assertEquals(7, registry.countKeys());
    assertEquals(SampleBatch.id(3), store.applied(WorkerId.of(0)));
    assertEquals(SampleBatch.id(2), store.applied(WorkerId.of(1)));
    assertEquals(LedgerHead.after(rows.get(2).entry()), registry.head(shard.ledger()));
    assertEquals(LedgerHead.after(ofOne.get(3).entry()), registry.head(new LedgerId(1, 1)));
    assertEquals("", registry.mismatch().detail());
    assertEquals(7, registry.purgeExpired(LATER.plusSeconds(1), 100), "all of them can expire");
    registry.resolve(WorkerId.of(0), SampleBatch.id(3));
    registry.resolve(WorkerId.of(1), SampleBatch.id(2));
  }

  @Test
  void noStartSucceedsWithoutTheDatabase() {
    List<Batch> records = List.of(SampleBatch.of(0, 1, shard.rows("a", 3, LATER)));
    StoreStanding standing = standing(0, BatchId.NONE, SampleBatch.id(1), true, records);
    store.failNext(Fault.AFTER);
    assertThrows(UnavailableException.class, () -> SampleStart.begin(registry, List.of(standing)));
    store.away(true);
    SendRegistry second = new SendRegistry(store, time::nanos);
    assertThrows(UnavailableException.class, () -> SampleStart.begin(second, List.of(standing)));
  }

  /** Worker 1 continues a ledger of the first refused batch, so it is tried only behind that. */
  @Test
  void refusalsThatFollowEachOtherEndInAStart() {
    List<Row> rows = shard.rows("a", 2, LATER);
    List<Batch> zero =
        List.of(
            SampleBatch.of(0, 1, rows.subList(0, 1)),
            SampleBatch.of(0, 2, new SampleShard(1, 1).rows("b", 1, LATER)));
    List<Batch> one = List.of(SampleBatch.of(1, 1, rows.subList(1, 2)));
    store.refuse(batch -> "ledger_page has none");
    String codes = "";
    while (codes.split(",", -1).length < 4) {
      try {
        SampleStart.begin(
            new SendRegistry(store, time::nanos),
            List.of(
                standing(0, store.applied(WorkerId.of(0)), SampleBatch.id(2), true, zero),
                standing(1, store.applied(WorkerId.of(1)), SampleBatch.id(1), true, one)),
            List.of(codes.split(",", -1)));
        break;
      } catch (StoresRefusedException e) {
        codes = String.valueOf(e.getMessage()).replaceAll(".*mailbox[.]accept=,?", "");
      }
    }
    assertTrue(codes.matches("database-refuses-[0-9a-f]{8},database-refuses-[0-9a-f]{8}"), codes);
    assertEquals(SampleBatch.id(2), store.applied(WorkerId.of(0)));
    assertEquals(SampleBatch.id(1), store.applied(WorkerId.of(1)));
  }

  @Test
  void anAcceptedMismatchIsTakenOverAtTheStart() {
    List<Row> rows = shard.rows("a", 4, LATER);
    for (int i = 0; i < 4; i++) {
      SampleBatch.write(store, SampleBatch.of(0, i + 1, rows.subList(i, i + 1)));
    }
    SampleStart.begin(
        registry, List.of(standing(0, SampleBatch.id(4), SampleBatch.id(2), false, List.of())));
    assertEquals(confirmed(rows.subList(0, 2)), find(rows));
    assertEquals(SampleBatch.id(2), registry.projector().applied(WorkerId.of(0)));
    assertTrue(registry.mismatch().detail().contains("the broker is older"));
    registry.resolve(WorkerId.of(0), SampleBatch.id(2));

    SendRegistry second = new SendRegistry(store, time::nanos);
    BatchId foreign = new BatchId(2, 9);
    SampleStart.begin(second, List.of(standing(0, SampleBatch.id(2), foreign, false, List.of())));
    assertEquals(Map.of(), second.find(rows.stream().map(Row::key).toList(), NOW));
    LedgerHead head = second.head(shard.ledger());
    assertEquals(4 + (1L << 32), head.seq());
    assertEquals(rows.get(3).entry().link(), head.link());
    assertEquals(4 + (1L << 32), second.head(new LedgerId(9, 9)).seq());
  }

  @Test
  void aReaderSeesAllThatWasAnsweredBefore() throws Exception {
    List<Row> rows = shard.rows("k", 3, LATER);
    send(0, 1, rows);
    registry.projector().onWork(() -> new Thread(registry.projector()::step).start());
    List<LedgerEntry> entries = rows.stream().map(Row::entry).toList();
    assertEquals(entries, new StoredLedgers(registry).entries(shard.ledger(), 1, 10));
    assertEquals(entries.subList(1, 2), new StoredLedgers(registry).entries(shard.ledger(), 2, 1));
  }

  @Test
  void aReaderWaitsASecondAtMost() throws KeyTakenException {
    send(0, 1, shard.rows("k", 3, LATER));
    long began = System.nanoTime();
    assertThrows(
        UnavailableException.class,
        () -> new StoredLedgers(registry).entries(shard.ledger(), 1, 10));
    Duration waited = Duration.ofNanos(System.nanoTime() - began);
    assertTrue(waited.compareTo(Duration.ofMillis(900)) > 0, waited::toString);
    assertTrue(waited.compareTo(Duration.ofSeconds(20)) < 0, waited::toString);

    registry.projector().drain();
    assertEquals(3, new StoredLedgers(registry).entries(shard.ledger(), 1, 10).size());
    take(0, 2, shard.rows("open", 1, LATER));
    assertEquals(
        3,
        new StoredLedgers(registry).entries(shard.ledger(), 1, 10).size(),
        "open batches were not answered");
  }

  /** A shard has one worker, so trouble with another one's batches is none of its readers'. */
  @Test
  void aReaderWaitsForBatchesOfItsLedgerAlone() throws KeyTakenException {
    SampleShard other = new SampleShard(1, 1);
    store.refuse(batch -> batch.worker().equals(WorkerId.of(0)) ? "ledger_page has none" : "");
    send(0, 1, shard.rows("zero", 1, LATER));
    send(1, 1, other.rows("one", 2, LATER));
    registry.projector().drain();
    assertEquals(2, new StoredLedgers(registry).entries(other.ledger(), 1, 10).size());
    assertThrows(
        UnavailableException.class,
        () -> new StoredLedgers(registry).entries(shard.ledger(), 1, 10));
  }

  /** Its pages may be among those that the database lost. */
  @Test
  void noReaderOfAWorkerWhoseProjectionLostItsPlaceIsAnswered() throws KeyTakenException {
    InMemoryProjectionStore earlier = store.copy();
    send(0, 1, shard.rows("lost", 1, LATER));
    send(0, 2, shard.rows("kept", 1, LATER));
    registry.projector().drain();
    registry.projector().release(WorkerId.of(0), SampleBatch.id(2));
    store.replaceBy(earlier);
    send(0, 3, new SampleShard(1, 4).rows("other", 1, LATER));
    time.advance(Duration.ofSeconds(1));
    registry.projector().step();
    assertThrows(
        UnavailableException.class,
        () -> new StoredLedgers(registry).entries(shard.ledger(), 1, 10));
  }

  /** Nothing that a stop waits for writes it. */
  @Test
  void aStopWaitsForNoBatchThatTheDatabaseRefuses() throws KeyTakenException {
    store.refuse(batch -> "ledger_page has none");
    send(0, 1, shard.rows("k", 1, LATER));
    assertFalse(registry.projector().awaitAll(Duration.ofMillis(1)));
    registry.projector().drain();
    assertTrue(registry.projector().awaitAll(Duration.ofSeconds(30)));
  }

  @Test
  void aWaitForABatchSaysWhetherTheDatabaseHasIt() throws KeyTakenException {
    send(0, 1, shard.rows("k", 3, LATER));
    assertFalse(registry.projector().awaitBatch(WorkerId.of(0), 1, Duration.ofMillis(1)));
    registry.projector().drain();
    assertTrue(registry.projector().awaitBatch(WorkerId.of(0), 1, Duration.ofMillis(1)));
    Thread.currentThread().interrupt();
    assertTrue(registry.projector().awaitBatch(WorkerId.of(0), 1, Duration.ofMillis(1)));
    assertFalse(registry.projector().awaitBatch(WorkerId.of(0), 2, Duration.ofSeconds(30)));
    assertTrue(Thread.interrupted(), "the interrupt is kept");
  }

  @Test
  void theSweepSparesTopicsOfPendingBatchesAndForgetsTheHeadsOfOthers() throws KeyTakenException {
    SampleShard doomed = new SampleShard(7, 0);
    SampleShard both = new SampleShard(8, 0);
    send(0, 1, doomed.rows("a", 2, LATER));
    send(0, 2, both.rows("b", 2, LATER));
    send(0, 3, shard.rows("c", 2, LATER));
    registry.projector().drain();
    send(0, 4, both.rows("d", 2, LATER));
    store.deleteTopic(7);
    store.deleteTopic(8);

    assertEquals(1, ledgers.sweepDeleted(10));
    assertEquals(LedgerHead.EMPTY, registry.head(doomed.ledger()));
    assertEquals(4, registry.head(both.ledger()).seq());
    assertEquals(2, registry.head(shard.ledger()).seq());
    assertEquals(2, store.heads().size());

    registry.projector().drain();
    assertEquals(2, ledgers.sweepDeleted(10));
    assertEquals(0, ledgers.sweepDeleted(10));
    assertEquals(LedgerHead.EMPTY, registry.head(both.ledger()));
    assertEquals(Set.of(shard.ledger()), store.heads().keySet());
    assertEquals(2, registry.head(shard.ledger()).seq());
  }

  /** The topic was deleted while its worker had no session; the batch may be in the broker. */
  @Test
  void theSweepSparesTopicsOfBatchesInDoubt() throws KeyTakenException {
    SampleShard doomed = new SampleShard(7, 0);
    send(0, 1, doomed.rows("a", 2, LATER));
    registry.projector().drain();
    take(0, 2, doomed.rows("b", 2, LATER));
    store.deleteTopic(7);

    assertEquals(0, ledgers.sweepDeleted(10), "nobody knows whether the broker has the batch");
    registry.resolve(WorkerId.of(0), SampleBatch.id(2));
    assertEquals(0, ledgers.sweepDeleted(10), "the database does not have it yet");
    registry.projector().drain();
    assertEquals(2, ledgers.sweepDeleted(10));
    assertEquals(Map.of(), store.heads());
    assertEquals(LedgerHead.EMPTY, registry.head(doomed.ledger()));
  }

  @Test
  void aBatchThatTheBrokerDoesNotHaveSparesNoTopic() throws KeyTakenException {
    SampleShard doomed = new SampleShard(7, 0);
    send(0, 1, doomed.rows("a", 2, LATER));
    registry.projector().drain();
    take(0, 2, doomed.rows("b", 2, LATER));
    store.deleteTopic(7);
    registry.resolve(WorkerId.of(0), SampleBatch.id(1));
    assertEquals(1, ledgers.sweepDeleted(10));
  }

  @Test
  void aHeadStaysUntilAllOfItsTopicIsSwept() throws KeyTakenException {
    SampleShard doomed = new SampleShard(7, 0);
    for (int i = 1; i <= 3; i++) {
      send(0, i, doomed.rows("a" + i, 1, LATER));
    }
    registry.projector().drain();
    store.deleteTopic(7);
    assertEquals(2, ledgers.sweepDeleted(2));
    assertEquals(3, registry.head(doomed.ledger()).seq());
    assertEquals(1, ledgers.sweepDeleted(2));
    assertEquals(LedgerHead.EMPTY, registry.head(doomed.ledger()));
  }

  @Test
  void aPurgeFreesWhatExpiredPieceByPiece() throws KeyTakenException {
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      List<Row> some = shard.rows("k" + i, 5, NOW.minusMillis(6 - i));
      send(0, i, some);
      rows.addAll(some);
    }
    List<Row> live = shard.rows("live", 5, NOW);
    send(0, 6, live);
    assertEquals(0, registry.purgeExpired(NOW, 10), "nothing is applied");
    registry.projector().drain();

    assertEquals(10, registry.purgeExpired(NOW, 10));
    assertEquals(20, store.countKeys());
    assertEquals(10, registry.purgeExpired(NOW, 6));
    assertEquals(5, registry.purgeExpired(NOW, 10));
    assertEquals(0, registry.purgeExpired(NOW, 10));
    assertEquals(Map.of(), find(rows));
    assertEquals(5, registry.countKeys());
    assertEquals(5, store.countKeys());
  }

  @Test
  void aPurgeThatFailsIsRepeated() throws KeyTakenException {
    List<Row> rows = shard.rows("k", 5, NOW.minusMillis(1));
    send(0, 1, rows);
    registry.projector().drain();
    store.away(true);
    for (int repeat = 0; repeat < 2; repeat++) {
      assertThrows(UnavailableException.class, () -> registry.purgeExpired(NOW, 10));
      assertEquals(5, registry.countKeys());
    }
    store.away(false);
    assertEquals(5, registry.purgeExpired(NOW, 10));
    assertEquals(0, store.countKeys());
  }

  @Test
  void theTroubleOfTheProjectionIsTold() throws KeyTakenException {
    assertEquals("", registry.projector().trouble());
    send(0, 1, shard.rows("k", 2, LATER));
    store.away(true);
    time.advance(Duration.ofSeconds(7));
    registry.projector().step();
    assertEquals(
        "the database is 1 batches behind, for 7 s: told to be away",
        registry.projector().trouble());
    assertEquals(2 * (64 + 80), registry.projector().pendingBytes(WorkerId.of(0)));
    store.away(false);
    registry.projector().step();
    assertEquals("", registry.projector().trouble());
    assertEquals(0, registry.projector().pendingBytes(WorkerId.of(0)));
    assertEquals(SampleBatch.id(1), registry.projector().applied(WorkerId.of(0)));
    assertEquals(List.of(WorkerId.of(0)), registry.workers());
  }
}
