package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;

/**
 * Random histories in which topics are made, resized, deleted and made again, while the database
 * falls back within the window. It does so below a running process, as a promoted replica, or
 * before a start, as a restored backup. No message is lost or comes after its ACK, no key is taken
 * twice, and none is a duplicate of a message that went with its topic.
 */
class FallbackProgramTest {
  private static final int STEPS = 120;

  /** So far back a snapshot may be: fewer batches than the shortest log has. */
  private static final int SNAPSHOTS = 25;

  private static final List<String> TOPICS = List.of("orders", "refunds", "parcels");
  private static final Duration LONG = Duration.ofHours(1);

  static Stream<Long> seeds() {
    Long given = Long.getLong("mailbox.seed");
    int histories = Integer.getInteger("fallback.histories", 40);
    return given != null
        ? Stream.of(given)
        : LongStream.concat(LongStream.range(0, histories), LongStream.of(System.nanoTime()))
            .boxed();
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void noMessageIsLostAndNoKeyIsTakenTwice(long seed) {
    History history = new History(seed);
    try {
      history.run();
    } catch (AssertionError e) {
      throw new AssertionError("-Dmailbox.seed=" + seed + ": " + e.getMessage(), e);
    }
  }

  /**
   * A name.
   *
   * @param taken the message of each key since the topic was made
   * @param used all keys of the name, also those of deleted topics
   * @param live messages that nobody has settled
   */
  private record Known(Map<String, MsgId> taken, List<String> used, Set<MsgId> live) {}

  private record Snapshot(InMemoryProjectionStore log, InMemoryTopicStore topics) {}

  private static final class History {
    private final Random random;
    private final MailboxRig rig;

    private final Map<String, Known> topics = new HashMap<>();
    private final Deque<Snapshot> snapshots = new ArrayDeque<>();
    private int keys;

    History(long seed) {
      this.random = new Random(seed);
      this.rig = new MailboxRig(seed, settings());
    }

    private Known known(String topic) {
      return topics.computeIfAbsent(
          topic, name -> new Known(new HashMap<>(), new ArrayList<>(), new HashSet<>()));
    }

    private Map<String, String> settings() {
      return Map.of(
          "mailbox.workers", "2",
          "mailbox.ready_shards", "2",
          "mailbox.projection.entries", "128");
    }

    void run() {
      rig.run();
      remember();
      for (int step = 0; step < STEPS; step++) {
        act();
        assertTrue(rig.mailbox().isHealthy(), "a worker failed");
        remember();
      }
      drain();
    }

    private void remember() {
      if (snapshots.size() == SNAPSHOTS) {
        snapshots.removeLast();
      }
      snapshots.addFirst(new Snapshot(rig.log.copy(), rig.topics.copy()));
    }

    private void act() {
      String topic = TOPICS.get(random.nextInt(TOPICS.size()));
      int dice = random.nextInt(100);
      if (dice < 45) {
        send(topic, "key-" + keys++);
      } else if (dice < 60) {
        repeat(topic);
      } else if (dice < 74) {
        receive(topic, 1 + random.nextInt(3));
      } else if (dice < 81) {
        resize(topic);
      } else if (dice < 86) {
        delete(topic);
      } else if (dice < 89) {
        rig.mailbox().storedLedgers().sweepDeleted(100);
      } else if (dice < 90) {
        rig.isProjectionLate = !rig.isProjectionLate;
      } else if (dice < 95) {
        promote();
      } else {
        restart(dice < 98);
      }
    }

    private void send(String topic, String key) {
      known(topic).used().add(key);
      MsgId first = known(topic).taken().get(key);
      Accepted accepted = accepted(topic, key);
      assertEquals(first != null, accepted.duplicate(), topic + " " + key);
      if (first == null) {
        known(topic).taken().put(key, accepted.msgId());
        assertTrue(known(topic).live().add(accepted.msgId()), "an id twice");
      } else {
        assertEquals(first, accepted.msgId());
      }
    }

    /** A SEND may be refused until the fallback is noticed; then it is repeated. */
    private Accepted accepted(String topic, String key) {
      SendOutcome outcome = rig.send(topic, key, "x");
      if (outcome instanceof Refusal) {
        notice();
        outcome = rig.send(topic, key, "x");
      }
      return assertInstanceOf(Accepted.class, outcome, key);
    }

    private void repeat(String topic) {
      List<String> all = known(topic).used();
      if (!all.isEmpty()) {
        send(topic, all.get(random.nextInt(all.size())));
      }
    }

    private int receive(String topic, int most) {
      List<LeasedMessage> some =
          assertInstanceOf(
                  Delivered.class,
                  MailboxRig.answered(rig.recv(topic, most, LONG, Duration.ZERO).outcome()))
              .messages();
      for (LeasedMessage one : some) {
        MsgId id = one.message().envelope().msgId();
        assertTrue(known(topic).live().remove(id), "a message that was settled or deleted");
        assertEquals(SettleOutcome.DONE, rig.ack(id, one.receipt()));
      }
      return some.size();
    }

    private void resize(String topic) {
      TopicOverrides shards = TopicOverrides.NONE.withReadyShards(1 + random.nextInt(5));
      rig.administer(
          () ->
              rig.mailbox()
                  .topicAdmin()
                  .put(rig.caller, new TopicName(topic), shards, Precondition.NONE));
      rig.administer(() -> rig.mailbox().queues().step());
    }

    private void delete(String topic) {
      TopicName name = new TopicName(topic);
      if (rig.mailbox().directory().find(name).isPresent()) {
        rig.administer(() -> rig.mailbox().topicAdmin().delete(rig.caller, name));
        known(topic).taken().clear();
        known(topic).live().clear();
      }
    }

    private void fallBack() {
      Snapshot older =
          snapshots.stream().skip(random.nextInt(snapshots.size())).findFirst().orElseThrow();
      rig.log.replaceBy(older.log());
      rig.topics.replaceBy(older.topics());
    }

    /** At times a while passes before the service notices. */
    private void promote() {
      fallBack();
      if (random.nextInt(3) > 0) {
        notice();
      }
    }

    private void notice() {
      rig.mailbox().projector().doubt();
      rig.run();
      rig.project();
      assertEquals("", rig.mailbox().projectionTrouble());
    }

    private void restart(boolean isOlder) {
      if (isOlder) {
        fallBack();
      }
      rig.crash();
      assertEquals("", rig.mailbox().storeMismatch());
    }

    private void drain() {
      rig.isProjectionLate = false;
      notice();
      rig.crash();
      for (String topic : TOPICS) {
        send(topic, "last");
        for (int came = 1; came > 0; ) {
          came = receive(topic, 100);
        }
        assertEquals(Set.of(), known(topic).live(), "never came");
        Topic known = rig.mailbox().directory().existing(new TopicName(topic));
        for (int shard = 0; shard < known.state().madeShards(); shard++) {
          LedgerVerdict verdict = LedgerVerdict.check(LedgerHead.EMPTY, rig.ledger(known, shard));
          assertInstanceOf(LedgerVerdict.Intact.class, verdict);
        }
      }
      assertEquals("", rig.mailbox().projectionTrouble());
    }
  }
}
