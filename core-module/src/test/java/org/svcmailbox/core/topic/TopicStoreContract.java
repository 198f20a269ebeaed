package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.Swept;
import org.svcmailbox.core.batch.Row;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.SampleShard;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.settings.RedrivePolicy;
import org.svcmailbox.core.topic.TopicStore.StoredTopic;
import org.svcmailbox.test.concurrent.Together;

/** The contract of {@link TopicStore}. */
public interface TopicStoreContract {
  TopicName ORDERS = new TopicName("orders");

  /** All settings are defaults. */
  TopicState PLAIN = TopicState.fresh(TopicOverrides.NONE, 4);

  /** Every setting has its own value. */
  TopicState EVERYTHING =
      new TopicState(
          new TopicOverrides(
              256,
              1_000_000,
              Duration.ofDays(7),
              1_000,
              Duration.ofHours(12),
              Duration.ofMillis(1),
              Duration.ofHours(12),
              new RetentionOverrides(
                  Duration.ofDays(365),
                  1_000_000_000,
                  Duration.ofDays(364),
                  1_000_000,
                  Duration.ofMillis(1_001),
                  100_000_000),
              Duration.ofDays(363),
              new RedrivePolicy(Duration.ofDays(362), 100)),
          1_000_000,
          true,
          257,
          258);

  /** The store under test: empty at first, the same throughout a test. */
  TopicStore store();

  /** The present. */
  Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");

  /** An expiry in the future. */
  Instant LATER = NOW.plus(Duration.ofMinutes(10));

  /** An expiry in the past. */
  Instant EARLIER = NOW.minus(Duration.ofMinutes(10));

  /** The log in the same database. */
  ProjectionStore log();

  private Optional<StoredTopic> find(TopicName name) {
    return store().all().stream().filter(row -> row.name().equals(name)).findFirst();
  }

  @Test
  default void anEmptyStoreHasNoTopics() {
    assertEquals(List.of(), store().all());
    assertEquals(Optional.empty(), find(ORDERS));
  }

  @Test
  default void aCreatedTopicIsFound() {
    StoredTopic made = store().create(ORDERS, EVERYTHING, 0);

    assertEquals(new StoredTopic(made.id(), ORDERS, EVERYTHING), made);
    assertEquals(Optional.of(made), find(ORDERS));
    assertEquals(List.of(made), store().all());
  }

  /** The row is not the caller's: a database that fell back has it again. */
  @Test
  default void creatingAgainMakesAnotherTopic() {
    SampleShard before = new SampleShard(store().create(ORDERS, EVERYTHING, 0).id(), 0);
    write(0, 1, before.row("k", LATER));
    StoredTopic made = store().create(ORDERS, PLAIN, 0);

    assertTrue(made.id() > before.ledger().topicId());
    assertEquals(List.of(made), store().all());
    assertEquals(new Swept(1, List.of(before.ledger().topicId())), log().sweepDeleted(9, Set.of()));
  }

  @Test
  default void aNewIdIsAboveAllThatTheCallerKnows() {
    int first = store().create(ORDERS, PLAIN, 0).id();
    int second = store().create(new TopicName("second"), PLAIN, first + 40).id();
    assertTrue(second > first + 40, first + ", " + second);
    int third = store().create(new TopicName("third"), PLAIN, first).id();
    assertTrue(third > second, second + ", " + third);
    assertEquals(3, store().all().size());
  }

  @Test
  default void namesThatDifferInCaseAreDifferent() {
    StoredTopic lower = store().create(ORDERS, PLAIN, 0);
    StoredTopic upper = store().create(new TopicName("Orders"), PLAIN, 0);
    StoredTopic longest = store().create(new TopicName("x".repeat(255)), PLAIN, 0);

    assertEquals(Optional.of(lower), find(ORDERS));
    assertEquals(Set.of(lower, upper, longest), new HashSet<>(store().all()));
    assertEquals(3, store().all().stream().map(StoredTopic::id).distinct().count());
  }

  @Test
  default void ofConcurrentCreatesOneStays() throws Exception {
    for (int round = 0; round < 5; round++) {
      TopicName name = new TopicName("contended-" + round);
      List<StoredTopic> made = Together.run(3, () -> create(name));
      assertEquals(3, made.stream().map(StoredTopic::id).distinct().count());
      assertTrue(made.contains(find(name).orElseThrow()));
    }
    assertEquals(5, store().all().size());
  }

  @Test
  default void statesSurviveOneByOne() {
    List<TopicState> samples = new ArrayList<>(List.of(PLAIN, EVERYTHING));
    samples.add(new TopicState(TopicOverrides.NONE, 1, true, 1, 1));
    samples.add(new TopicState(TopicOverrides.NONE, 7, false, 2, 1));
    samples.add(new TopicState(TopicOverrides.NONE, 1, false, 1, 2));
    singles().forEach(overrides -> samples.add(new TopicState(overrides, 1, false, 1, 1)));
    for (int i = 0; i < samples.size(); i++) {
      TopicName name = new TopicName("topic-" + i);
      assertEquals(samples.get(i), store().create(name, samples.get(i), 0).state());
      assertEquals(samples.get(i), find(name).orElseThrow().state());
    }
  }

  private static List<TopicOverrides> singles() {
    Duration some = Duration.ofSeconds(90, 1_000_000);
    RetentionOverrides none = RetentionOverrides.NONE;
    return List.of(
        new TopicOverrides(3, null, null, null, null, null, null, none),
        new TopicOverrides(null, 3, null, null, null, null, null, none),
        new TopicOverrides(null, null, some, null, null, null, null, none),
        new TopicOverrides(null, null, null, 3, null, null, null, none),
        new TopicOverrides(null, null, null, null, some, null, null, none),
        new TopicOverrides(null, null, null, null, null, some, null, none),
        new TopicOverrides(null, null, null, null, null, null, some, none),
        new TopicOverrides(
            null, null, null, null, null, null, null, none, null, new RedrivePolicy(some, 3)),
        new TopicOverrides(null, null, null, null, null, null, null, none, some, null),
        only(new RetentionOverrides(some, null, null, null, null, null)),
        only(new RetentionOverrides(null, 3, null, null, null, null)),
        only(new RetentionOverrides(null, null, 5_000_000_000L, null, null, null, null)),
        only(new RetentionOverrides(null, null, some, null, null, null)),
        only(new RetentionOverrides(null, null, null, 3, null, null)),
        only(new RetentionOverrides(null, null, null, null, some, null)),
        only(new RetentionOverrides(null, null, null, null, null, 3)));
  }

  private static TopicOverrides only(RetentionOverrides retention) {
    return new TopicOverrides(null, null, null, null, null, null, null, retention);
  }

  @Test
  default void aRowIsSavedAsGiven() {
    StoredTopic made = store().create(ORDERS, EVERYTHING, 0);
    StoredTopic other = store().create(new TopicName("other"), EVERYTHING, 0);
    StoredTopic changed = new StoredTopic(made.id(), ORDERS, PLAIN);

    store().save(changed);

    assertEquals(Optional.of(changed), find(ORDERS));
    assertEquals(Set.of(changed, other), new HashSet<>(store().all()));
  }

  /** The database fell back behind its creation. */
  @Test
  default void aRowThatTheStoreLostIsSavedWithItsId() {
    int last = store().create(ORDERS, PLAIN, 0).id();
    StoredTopic lost = new StoredTopic(last + 7, new TopicName("lost"), EVERYTHING);

    store().save(lost);

    assertEquals(Optional.of(lost), find(lost.name()));
    assertEquals(Set.of(), log().unknownTopics(Set.of(lost.id())));
    assertTrue(store().create(new TopicName("next"), PLAIN, 0).id() > lost.id());
  }

  /** The broker is older than the deletion. */
  @Test
  default void aDeletedTopicThatIsSavedKeepsItsLedgers() {
    StoredTopic made = store().create(ORDERS, PLAIN, 0);
    SampleShard shard = new SampleShard(made.id(), 0);
    write(0, 1, shard.row("k", LATER));
    store().delete(made.id(), ORDERS);

    store().save(made);

    assertEquals(Swept.NOTHING, log().sweepDeleted(9, Set.of()));
    assertEquals(Set.of(shard.ledger()), log().heads().keySet());
    assertEquals(List.of(made), store().all());
  }

  /** The topic was deleted and made again, and the database fell back behind both. */
  @Test
  default void aRowOfAnotherIdGoesWhenItsNameIsSaved() {
    SampleShard before = new SampleShard(store().create(ORDERS, PLAIN, 0).id(), 0);
    write(0, 1, before.row("k", LATER));
    StoredTopic known = new StoredTopic(before.ledger().topicId() + 3, ORDERS, EVERYTHING);

    store().save(known);

    assertEquals(List.of(known), store().all());
    assertEquals(1, log().sweepDeleted(9, Set.of()).batches());
  }

  @Test
  default void aDeletedTopicIsNotFound() {
    StoredTopic made = store().create(ORDERS, EVERYTHING, 0);
    StoredTopic other = store().create(new TopicName("other"), EVERYTHING, 0);

    store().delete(made.id(), ORDERS);
    store().delete(made.id(), ORDERS);

    assertEquals(Optional.empty(), find(ORDERS));
    assertEquals(List.of(other), store().all());
  }

  /** The database fell back behind the topic's creation, and batches name it. */
  @Test
  default void aTopicIsDeletedWithoutARow() {
    int known = store().create(ORDERS, PLAIN, 0).id() + 5;
    store().delete(known, new TopicName("lost"));
    assertEquals(Set.of(), log().unknownTopics(Set.of(known)));
    assertEquals(new Swept(0, List.of(known)), log().sweepDeleted(9, Set.of()));
  }

  @Test
  default void theRowOfTheNameGoesWithADeletion() {
    StoredTopic older = store().create(ORDERS, PLAIN, 0);
    store().delete(older.id() + 1, ORDERS);
    assertEquals(List.of(), store().all());
    assertEquals(Set.of(), log().unknownTopics(Set.of(older.id(), older.id() + 1)));
  }

  @Test
  default void retiredIdsAreKnownAndGivenToNoTopic() {
    int made = store().create(ORDERS, PLAIN, 0).id();
    store().retire(List.of());
    store().retire(List.of(made + 2, made + 4));
    store().retire(List.of(made + 4));
    assertEquals(Set.of(made + 3), log().unknownTopics(Set.of(made + 2, made + 3, made + 4)));
    assertTrue(store().create(new TopicName("next"), PLAIN, 0).id() > made + 4);
  }

  @Test
  default void anIdIsNeverUsedAgain() {
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      assertTrue(ids.add(store().create(ORDERS, PLAIN, 0).id()));
      delete(ORDERS);
    }
  }

  private void write(int worker, long number, Row... rows) {
    SampleBatch.write(log(), SampleBatch.of(worker, number, List.of(rows)));
  }

  @Test
  default void theLedgersOfADeletedTopicGoPieceByPiece() {
    int doomed = store().create(ORDERS, PLAIN, 0).id();
    int kept = store().create(new TopicName("kept"), PLAIN, 0).id();
    SampleShard first = new SampleShard(doomed, 0);
    SampleShard second = new SampleShard(doomed, 3);
    SampleShard third = new SampleShard(kept, 0);
    Row stays = third.row("k", LATER);
    write(0, 1, first.row("a", LATER), stays);
    for (int batch = 2; batch <= 6; batch++) {
      write(0, batch, (batch % 2 == 0 ? first : second).row("k" + batch, LATER));
    }
    assertEquals(Swept.NOTHING, log().sweepDeleted(10, Set.of()));
    long before = log().ledgerBytes();

    delete(ORDERS);

    assertEquals(Swept.NOTHING, log().sweepDeleted(4, Set.of(doomed)));
    assertEquals(new Swept(4, List.of()), log().sweepDeleted(4, Set.of()));
    assertEquals(new Swept(2, List.of(doomed)), log().sweepDeleted(4, Set.of()));
    assertEquals(Swept.NOTHING, log().sweepDeleted(4, Set.of()));
    assertEquals(before / 7, log().ledgerBytes(), "one entry of seven is left");
    assertEquals(Set.of(third.ledger()), log().heads().keySet());
    assertEquals(List.of(stays.entry()), log().ledger(third.ledger(), 1, 10));
  }

  @Test
  default void manyTopicsAreSweptAndTheirTrimmedLedgersToo() {
    List<LedgerId> ledgers = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      TopicName name = new TopicName("topic-" + i);
      SampleShard shard = new SampleShard(store().create(name, PLAIN, 0).id(), 1);
      write(i, 1, shard.row("a", LATER));
      write(i, 2, shard.row("b", LATER));
      assertEquals(1, log().trimLedger(shard.ledger(), NOW, 10));
      delete(name);
      ledgers.add(shard.ledger());
    }

    assertEquals(3, log().sweepDeleted(3, Set.of()).batches());
    assertEquals(2, log().sweepDeleted(3, Set.of()).batches());
    assertEquals(0, log().sweepDeleted(3, Set.of()).batches());
    assertEquals(Map.of(), log().heads());
    for (LedgerId ledger : ledgers) {
      assertEquals(LedgerHead.EMPTY, log().ledgerStart(ledger));
    }
  }

  @Test
  default void theKeysOfADeletedTopicLastOutTheirWindow() {
    SampleShard shard = new SampleShard(store().create(ORDERS, PLAIN, 0).id(), 0);
    write(0, 1, shard.row("live", LATER), shard.row("over", EARLIER));

    delete(ORDERS);

    log().purgeKeys(Set.of(WorkerId.of(0)), NOW.toEpochMilli());
    assertEquals(0, log().entries(WorkerId.of(0), 1, EARLIER.toEpochMilli()).length);
    assertNotEquals(0, log().entries(WorkerId.of(0), 1, LATER.toEpochMilli()).length);
  }

  @Test
  default void aTopicMadeAnewHasAnotherLedger() {
    SampleShard before = new SampleShard(store().create(ORDERS, PLAIN, 0).id(), 0);
    write(0, 1, before.row("k", LATER));
    delete(ORDERS);
    SampleShard after = new SampleShard(store().create(ORDERS, PLAIN, 0).id(), 0);

    assertNotEquals(before.ledger(), after.ledger());
    Row again = after.row("k", LATER);
    write(0, 2, again);
    assertEquals(1, log().sweepDeleted(10, Set.of()).batches());
    assertEquals(List.of(again.entry()), log().ledger(after.ledger(), 1, 10));
    assertEquals(Set.of(after.ledger()), log().heads().keySet());
  }

  @Test
  default void aDeletedTopicIsKnownUntilItIsSwept() {
    int doomed = store().create(ORDERS, PLAIN, 0).id();
    int kept = store().create(new TopicName("kept"), PLAIN, 0).id();
    write(0, 1, new SampleShard(doomed, 0).row("a", LATER));
    Set<Integer> asked = Set.of(doomed, kept, kept + 1);
    assertEquals(Set.of(kept + 1), log().unknownTopics(asked));
    delete(ORDERS);
    assertEquals(Set.of(kept + 1), log().unknownTopics(asked));
    log().sweepDeleted(10, Set.of());
    assertEquals(Set.of(kept + 1, doomed), log().unknownTopics(asked));
  }

  private void delete(TopicName name) {
    find(name).ifPresent(topic -> store().delete(topic.id(), name));
  }

  private StoredTopic create(TopicName name) {
    return store().create(name, EVERYTHING, 0);
  }
}
