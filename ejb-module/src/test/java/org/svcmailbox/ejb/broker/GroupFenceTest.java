package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.core.settings.impl.AddressSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.BatchPages;
import org.svcmailbox.core.batch.SampleBatch;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.QueueNames;
import org.svcmailbox.ejb.broker.ArtemisFixture.Way;

/**
 * The broker gives a group's log to one session at a time, and a session that lost it cannot commit
 * a batch. Several nodes build on this (docs/adr/0128). Each promise has a control beside it, which
 * breaks one rule and must be found out. {@code group.rounds} sets how many owners lose their
 * session.
 */
@ExtendWith(Brokers.Lender.class)
@ParameterizedClass(name = "{0}")
@EnumSource
final class GroupFenceTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(100);

  /** One round in about five cuts a session off with messages that it holds. */
  private static final int ENOUGH = 200;

  private static final Duration DELAY = Duration.ofSeconds(1);
  private static final int MESSAGES = 20;

  private final Way way;
  private Brokers brokers;
  private ArtemisFixture fixture;
  private GroupNodes nodes;
  private WorkerId first;
  private WorkerId second;

  GroupFenceTest(Way way) {
    this.way = way;
  }

  @BeforeEach
  void start(Brokers lender) {
    brokers = lender;
    begin(EmbeddedArtemis.settings());
  }

  private void begin(AddressSettings settings) {
    fixture =
        brokers.start(
            EmbeddedArtemis.Options.standard().with(settings.setMaxDeliveryAttempts(100)), way);
    List<WorkerId> groups = GroupNodes.makeGroups(ArtemisFixture.access(fixture.artemis(), way), 2);
    first = groups.get(0);
    second = groups.get(1);
    nodes = GroupNodes.of(fixture, way);
  }

  private GroupDrill drill(GroupDrill.Rule rules, Duration afterwards) {
    return new GroupDrill(nodes, List.of(first, second), GroupRounds.random(), rules, afterwards);
  }

  @Test
  void whicheverWayASessionEndsTheNextOneFindsAllOrNothingOfItsLastBatch(TestReporter reporter) {
    try (GroupDrill drill = drill(GroupDrill.Rule.ALL, GroupRounds.AFTERWARDS)) {
      GroupRounds.run(drill);
      reporter.publishEntry("fence", way + ": " + drill.summary());
      assertEquals(List.of(), drill.violations(), GroupRounds.seed());
    }
  }

  /** The control of the checker above. */
  @Test
  void theRoundsFindABatchThatAcknowledgesNothing() {
    try (GroupDrill drill = drill(GroupDrill.Rule.NO_FENCE, Duration.ZERO)) {
      drill.round();
      assertNotEquals(List.of(), drill.violations());
    }
  }

  /** The control of what the rounds say of several logs. */
  @Test
  void theRoundsFindLogsThatACommitOfTheirOwnChangesEach() {
    try (GroupDrill drill = drill(GroupDrill.Rule.COMMITS_APART, Duration.ZERO)) {
      for (int round = 0; round < ENOUGH && drill.violations().isEmpty(); round++) {
        drill.round();
      }
      assertTrue(drill.violations().contains(GroupDrill.HALF), () -> drill.violations().toString());
    }
  }

  /** The control of the order that the rounds check. */
  @Test
  void theRoundsFindMessagesThatComeBackLate() {
    nodes.close();
    fixture.close();
    begin(EmbeddedArtemis.settings().setRedeliveryDelay(DELAY.toMillis()));
    try (GroupDrill drill = drill(GroupDrill.Rule.ALL, Duration.ZERO)) {
      for (int round = 0; round < ENOUGH && drill.violations().isEmpty(); round++) {
        drill.round();
      }
      assertNotEquals(List.of(), drill.violations());
    }
  }

  /**
   * The fence alone, without a race: a session goes on and does not know that its log is another's.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlyABatchThatAcknowledgesTheOldestEntryFailsOnceTheLogIsLost(boolean fenced) {
    GroupSession late = attached();
    commit(late, first, 1, true, 1);
    new InsideBroker(fixture.artemis().server()).takeFromConsumer(QueueNames.log(first));
    try (late;
        GroupSession heir = attached()) {
      assertTrue(heir.isWhole(first, PATIENCE));
      assertEquals(SampleBatch.id(1), heir.log(first).lastBatch());

      if (fenced) {
        assertThrows(UnavailableException.class, () -> commit(late, first, 2, true, 2));
        assertEquals(List.of(1), heir.take(first));
        commit(heir, first, 2, true, 3);
        assertEquals(List.of(3), heir.take(first));
      } else {
        commit(late, first, 2, false, 2);
        assertEquals(List.of(1, 2), heir.take(first), "nobody looks for the second");
      }
    }
  }

  /**
   * The journal keeps a transaction of two groups waiting, and its session ends. Neither log may
   * look whole until it is known how that ends.
   */
  @Test
  void whileATransactionIsOpenNoLogThatItWritesIsWhole() {
    GroupSession given = attached();
    commit(given, first, 1, true, 1);
    stage(given, first, 2, true, 2);
    stage(given, second, 1, true, 3);
    Runnable end = fixture.commitLate(QueueNames.log(first), given::commit);
    try (GroupSession heir = attached()) {
      for (WorkerId group : List.of(first, second)) {
        assertFalse(heir.isWhole(group, SHORT));
      }
      // The control: who takes what has arrived for all forgets the batch that comes.
      BatchId hasty = heir.newest(first);
      end.run();
      for (WorkerId group : List.of(first, second)) {
        assertTrue(heir.isWhole(group, PATIENCE));
      }
      assertEquals(SampleBatch.id(2), heir.log(first).lastBatch());
      assertEquals(SampleBatch.id(1), heir.log(second).lastBatch());
      assertEquals(List.of(1, 2), heir.take(first));
      assertEquals(List.of(3), heir.take(second));
      assertNotEquals(heir.log(first).lastBatch(), hasty);
    } finally {
      end.run();
      given.close();
    }
  }

  @Test
  void nothingOfALogComesToAnotherSessionWhileItsOwnerLives() {
    try (GroupSession owner = attached();
        GroupSession waiting = attached()) {
      for (int batch = 1; batch <= MESSAGES; batch++) {
        commit(owner, first, batch, true, batch);
        assertFalse(waiting.isWhole(first, Duration.ZERO));
        assertEquals(BatchId.NONE, waiting.newest(first));
      }
      owner.fail();
      assertTrue(waiting.isWhole(first, PATIENCE));
      assertEquals(SampleBatch.id(MESSAGES), waiting.log(first).lastBatch());
    }
  }

  /** How a group is given away. */
  enum Release {
    SHARDS_FIRST,
    LOG_FIRST
  }

  @ParameterizedTest
  @EnumSource
  void aGroupComesWithItsMessagesInOrderWhenItsLogIsReleasedLast(Release release) {
    List<Integer> all = IntStream.rangeClosed(1, MESSAGES).boxed().toList();
    try (GroupSession giver = attached();
        GroupSession heir = attached()) {
      for (int message : all) {
        commit(giver, first, message, true, message);
      }
      commit(giver, second, 1, true, 101);
      assertEquals(all, giver.take(first));
      assertEquals(List.of(101), giver.take(second));

      if (release == Release.SHARDS_FIRST) {
        giver.releaseShard(first);
      }
      assertFalse(heir.isWhole(first, Duration.ZERO));
      giver.releaseLog(first);
      assertTrue(heir.isWhole(first, PATIENCE));
      assertEquals(release == Release.SHARDS_FIRST ? all : List.of(), heir.take(first));
      if (release == Release.SHARDS_FIRST) {
        bothGoOn(giver, heir);
      }
    }
  }

  private void bothGoOn(GroupSession giver, GroupSession heir) {
    giver.acknowledge(second, 1);
    commit(giver, second, 2, true, 102);
    heir.acknowledge(first, MESSAGES);
    commit(heir, first, MESSAGES + 1, true, MESSAGES + 1);
    assertEquals(List.of(102), giver.take(second));
    assertEquals(List.of(MESSAGES + 1), heir.take(first));
    assertFalse(heir.isWhole(second, Duration.ZERO));
  }

  private GroupSession attached() {
    GroupSession session = nodes.open();
    session.attach(first);
    session.attach(second);
    return session;
  }

  private static void commit(
      GroupSession session, WorkerId group, long number, boolean fenced, int message) {
    stage(session, group, number, fenced, message);
    session.commit();
  }

  private static void stage(
      GroupSession session, WorkerId group, long number, boolean fenced, int message) {
    Batch batch = new Batch(group, SampleBatch.id(number), BatchPages.of(new ArrayList<>()));
    session.stage(batch, SampleBatch.id(number - 1), List.of(message), fenced);
  }
}
