package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.sendlog.Row;
import org.svcmailbox.core.sendlog.SampleBatch;
import org.svcmailbox.core.sendlog.SampleShard;
import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.sendlog.SendLogStore.Swept;
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

  /** The present. */
  Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");

  /** An expiry in the future. */
  Instant LATER = NOW.plus(Duration.ofMinutes(10));

  /** An expiry in the past. */
  Instant EARLIER = NOW.minus(Duration.ofMinutes(10));

  /** The log in the same database. */
  SendLogStore log();

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

  private void write(int worker, long number, Row... rows) {
    SampleBatch.write(log(), SampleBatch.of(worker, number, List.of(rows)));
  }

  @Test
  default void theLedgersOfADeletedTopicGoPieceByPiece() {
    int doomed = store().create(ORDERS, PLAIN).id();
    int kept = store().create(new TopicName("kept"), PLAIN).id();
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

    store().delete(ORDERS);

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
      SampleShard shard = new SampleShard(store().create(name, PLAIN).id(), 1);
      write(i, 1, shard.row("a", LATER));
      write(i, 2, shard.row("b", LATER));
      assertEquals(1, log().trimLedger(shard.ledger(), NOW, 10));
      store().delete(name);
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
    SampleShard shard = new SampleShard(store().create(ORDERS, PLAIN).id(), 0);
    write(0, 1, shard.row("live", LATER), shard.row("over", EARLIER));

    store().delete(ORDERS);

    log().purgeKeys(NOW.toEpochMilli());
    assertEquals(0, log().entries(0, 1, EARLIER.toEpochMilli()).length);
    assertNotEquals(0, log().entries(0, 1, LATER.toEpochMilli()).length);
  }

  @Test
  default void aTopicMadeAnewHasAnotherLedger() {
    SampleShard before = new SampleShard(store().create(ORDERS, PLAIN).id(), 0);
    write(0, 1, before.row("k", LATER));
    store().delete(ORDERS);
    SampleShard after = new SampleShard(store().create(ORDERS, PLAIN).id(), 0);

    assertNotEquals(before.ledger(), after.ledger());
    Row again = after.row("k", LATER);
    write(0, 2, again);
    assertEquals(1, log().sweepDeleted(10, Set.of()).batches());
    assertEquals(List.of(again.entry()), log().ledger(after.ledger(), 1, 10));
    assertEquals(Set.of(after.ledger()), log().heads().keySet());
  }

  @Test
  default void aDeletedTopicIsKnownUntilItIsSwept() {
    int doomed = store().create(ORDERS, PLAIN).id();
    int kept = store().create(new TopicName("kept"), PLAIN).id();
    write(0, 1, new SampleShard(doomed, 0).row("a", LATER));
    Set<Integer> asked = Set.of(doomed, kept, kept + 1);
    assertEquals(Set.of(kept + 1), log().unknownTopics(asked));
    store().delete(ORDERS);
    assertEquals(Set.of(kept + 1), log().unknownTopics(asked));
    log().sweepDeleted(10, Set.of());
    assertEquals(Set.of(kept + 1, doomed), log().unknownTopics(asked));
  }

  private StoredTopic create(TopicName name) {
    return store().create(name, EVERYTHING);
  }
}
