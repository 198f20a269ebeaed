package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.delivery.SampleBatch;
import org.svcmailbox.core.delivery.SampleShard;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.delivery.SendLogContract;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.problem.NotFoundException;
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
                  100_000_000)),
          true,
          257,
          258);

  /** The store under test: empty at first, the same throughout a test. */
  TopicStore store();

  /** The log in the same database. */
  SendLog log();

  @Test
  default void anEmptyStoreHasNoTopics() {
    assertEquals(List.of(), store().all());
    assertEquals(Optional.empty(), store().find(ORDERS));
  }

  @Test
  default void aCreatedTopicIsFound() {
    StoredTopic made = store().create(ORDERS, EVERYTHING);

    assertEquals(new StoredTopic(made.id(), ORDERS, EVERYTHING), made);
    assertEquals(Optional.of(made), store().find(ORDERS));
    assertEquals(List.of(made), store().all());
  }

  @Test
  default void creatingAgainReturnsTheTopicThatIsThere() {
    StoredTopic made = store().create(ORDERS, EVERYTHING);
    assertEquals(made, store().create(ORDERS, PLAIN));
    assertEquals(List.of(made), store().all());
  }

  @Test
  default void namesThatDifferInCaseAreDifferent() {
    StoredTopic lower = store().create(ORDERS, PLAIN);
    StoredTopic upper = store().create(new TopicName("Orders"), PLAIN);
    StoredTopic longest = store().create(new TopicName("x".repeat(255)), PLAIN);

    assertEquals(Optional.of(lower), store().find(ORDERS));
    assertEquals(Set.of(lower, upper, longest), new HashSet<>(store().all()));
    assertEquals(3, store().all().stream().map(StoredTopic::id).distinct().count());
  }

  @Test
  default void concurrentCreatesAgree() throws Exception {
    for (int round = 0; round < 5; round++) {
      TopicName name = new TopicName("contended-" + round);
      Set<StoredTopic> made = new HashSet<>(Together.run(6, () -> create(name)));
      assertEquals(1, made.size(), made.toString());
      assertEquals(made, Set.of(store().find(name).orElseThrow()));
    }
  }

  @Test
  default void statesSurviveOneByOne() {
    List<TopicState> samples = new ArrayList<>(List.of(PLAIN, EVERYTHING));
    samples.add(new TopicState(TopicOverrides.NONE, true, 1, 1));
    samples.add(new TopicState(TopicOverrides.NONE, false, 2, 1));
    samples.add(new TopicState(TopicOverrides.NONE, false, 1, 2));
    singles().forEach(overrides -> samples.add(new TopicState(overrides, false, 1, 1)));
    for (int i = 0; i < samples.size(); i++) {
      TopicName name = new TopicName("topic-" + i);
      assertEquals(samples.get(i), store().create(name, samples.get(i)).state());
      assertEquals(samples.get(i), store().find(name).orElseThrow().state());
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
            null, null, null, null, null, null, null, none, new RedrivePolicy(some, 3)),
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
  default void updateReplacesTheStateAndNothingElse() {
    StoredTopic made = store().create(ORDERS, EVERYTHING);
    StoredTopic other = store().create(new TopicName("other"), EVERYTHING);
    TopicState changed = TopicState.fresh(TopicOverrides.NONE, 2).withPaused(true);

    store().update(ORDERS, changed);

    assertEquals(Optional.of(new StoredTopic(made.id(), ORDERS, changed)), store().find(ORDERS));
    assertEquals(Optional.of(other), store().find(other.name()));
  }

  @Test
  default void updateOfAnUnknownTopicIsRefused() {
    assertThrows(NotFoundException.class, () -> store().update(ORDERS, EVERYTHING));
    assertEquals(List.of(), store().all());
  }

  @Test
  default void aDeletedTopicIsGone() {
    store().create(ORDERS, EVERYTHING);
    StoredTopic other = store().create(new TopicName("other"), EVERYTHING);

    store().delete(ORDERS);
    store().delete(new TopicName("unknown"));

    assertEquals(Optional.empty(), store().find(ORDERS));
    assertEquals(List.of(other), store().all());
  }

  @Test
  default void anIdIsNeverUsedAgain() {
    Set<Integer> ids = new HashSet<>();
    for (int i = 0; i < 4; i++) {
      assertTrue(ids.add(store().create(ORDERS, PLAIN).id()));
      store().delete(ORDERS);
    }
  }

  @Test
  default void theLedgersOfADeletedTopicGoPieceByPiece() throws KeyTakenException {
    int doomed = store().create(ORDERS, PLAIN).id();
    int kept = store().create(new TopicName("kept"), PLAIN).id();
    SampleShard first = new SampleShard(doomed, 0);
    SampleShard second = new SampleShard(doomed, 3);
    Row stays = new SampleShard(kept, 0).row("k", SendLogContract.LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(first.row("a", SendLogContract.LATER), stays)));
    for (int batch = 2; batch <= 6; batch++) {
      SampleShard shard = batch % 2 == 0 ? first : second;
      log()
          .reserve(
              SampleBatch.of(0, batch, List.of(shard.row("k" + batch, SendLogContract.LATER))));
    }
    assertEquals(0, log().sweepDeleted(10));
    long before = log().ledgerBytes();

    store().delete(ORDERS);

    assertEquals(4, log().sweepDeleted(4));
    assertEquals(2, log().sweepDeleted(4));
    assertEquals(0, log().sweepDeleted(4));
    assertEquals(before / 7, log().ledgerBytes(), "one entry of seven is left");
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(doomed, 0));
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(doomed, 3));
    assertEquals(List.of(stays.entry()), log().ledger(kept, 0, 1, 10));
  }

  @Test
  default void manyTopicsAreSweptAndTheirTrimmedLedgersToo() throws KeyTakenException {
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      TopicName name = new TopicName("topic-" + i);
      int id = store().create(name, PLAIN).id();
      SampleShard shard = new SampleShard(id, 1);
      log().reserve(SampleBatch.of(i, 1, List.of(shard.row("a", SendLogContract.LATER))));
      log().reserve(SampleBatch.of(i, 2, List.of(shard.row("b", SendLogContract.LATER))));
      assertEquals(1, log().trimLedger(id, 1, SendLogContract.NOW, 10));
      store().delete(name);
      ids.add(id);
    }

    assertEquals(3, log().sweepDeleted(3));
    assertEquals(2, log().sweepDeleted(3));
    assertEquals(0, log().sweepDeleted(3));
    for (int id : ids) {
      assertEquals(LedgerHead.EMPTY, log().ledgerHead(id, 1));
      assertEquals(LedgerHead.EMPTY, log().ledgerStart(id, 1));
    }
  }

  @Test
  default void theKeysOfADeletedTopicLastOutTheirWindow() throws KeyTakenException {
    int doomed = store().create(ORDERS, PLAIN).id();
    SampleShard shard = new SampleShard(doomed, 0);
    Row live = shard.row("live", SendLogContract.LATER);
    Row over = shard.row("over", SendLogContract.EARLIER);
    log().reserve(SampleBatch.of(0, 1, List.of(live, over)));

    store().delete(ORDERS);

    assertEquals(1, log().purgeExpired(SendLogContract.NOW, 10));
    assertEquals(1, log().countKeys());
    assertEquals(1, log().purgeExpired(SendLogContract.LATER.plusSeconds(1), 10));
  }

  @Test
  default void aTopicMadeAnewBeginsANewLedgerAndKnowsNoKeys() throws KeyTakenException {
    int before = store().create(ORDERS, PLAIN).id();
    Row row = new SampleShard(before, 0).row("k", SendLogContract.LATER);
    log().reserve(SampleBatch.of(0, 1, List.of(row)));
    store().delete(ORDERS);
    int after = store().create(ORDERS, PLAIN).id();

    assertNotEquals(before, after);
    assertEquals(LedgerHead.EMPTY, log().ledgerHead(after, 0));
    Row again = new SampleShard(after, 0).row("k", SendLogContract.LATER);
    assertEquals(Map.of(), log().find(List.of(again.key())));
    log().reserve(SampleBatch.of(0, 2, List.of(again)));
    assertEquals(1, log().sweepDeleted(10));
    assertEquals(List.of(again.entry()), log().ledger(after, 0, 1, 10));
  }

  private StoredTopic create(TopicName name) {
    return store().create(name, EVERYTHING);
  }
}
