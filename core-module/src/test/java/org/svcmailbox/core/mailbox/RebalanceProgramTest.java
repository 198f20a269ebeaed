package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.topic.Precondition;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicOverrides;

/**
 * The number of shards changes repeatedly while messages are sent, received and settled and the
 * process dies. No message is lost or duplicated, and every shard's ledger has exactly what was
 * accepted into it.
 */
class RebalanceProgramTest {
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Duration VISIBILITY = Duration.ofSeconds(1);
  private static final int STEPS = 3_000;
  private static final int MOST_SHARDS = 6;

  static Stream<Long> seeds() {
    return Seeds.upTo(2);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void nothingIsLostOrDoubledWhileShardsComeAndGo(long seed) {
    new Program(seed).run();
  }

  private static final class Program {
    private final long seed;
    private final Random random;
    private final MailboxRig rig;
    private final Set<MsgId> expected = new HashSet<>();
    private final List<LeasedMessage> held = new ArrayList<>();
    private int accepted;
    private int changes;
    private int closed;

    Program(long seed) {
      this.seed = seed;
      random = new Random(seed);
      rig =
          new MailboxRig(
              seed,
              Map.of(
                  "mailbox.workers", "2",
                  "mailbox.ready_shards", "3",
                  "mailbox.max_attempts", "1000",
                  "mailbox.backoff_max", "500ms",
                  "mailbox.t_replay", "7d"));
      send();
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        act();
        assertEquals(expected, rig.broker.everything().keySet(), "step " + step);
      }
      drain();
      Seeds.requireMet(
          seed, changes > 20 && closed > 5, changes + " changes, " + closed + " shards closed");
    }

    private void act() {
      int dice = random.nextInt(100);
      if (dice < 20) {
        send();
      } else if (dice < 50) {
        recv();
      } else if (dice < 85) {
        settle();
      } else if (dice < 92) {
        rig.pass(Duration.ofMillis(random.nextInt(800)));
      } else if (dice < 94) {
        if (random.nextInt(4) == 0) {
          loseSessions();
        }
        reshard();
      } else if (dice < 95) {
        rig.crash();
        held.clear();
      } else {
        look();
      }
    }

    private void send() {
      SendOutcome outcome = rig.send("orders", "key-" + accepted, "x");
      expected.add(assertInstanceOf(SendOutcome.Accepted.class, outcome).msgId());
      accepted++;
    }

    private void recv() {
      RecvOutcome outcome =
          MailboxRig.answered(rig.recv("orders", 10, VISIBILITY, Duration.ZERO).outcome());
      held.addAll(assertInstanceOf(Delivered.class, outcome).messages());
    }

    private void settle() {
      if (held.isEmpty()) {
        return;
      }
      LeasedMessage one = held.remove(random.nextInt(held.size()));
      MsgId msgId = one.message().envelope().msgId();
      if (random.nextInt(4) == 0) {
        rig.nack(msgId, one.receipt(), null);
      } else if (rig.ack(msgId, one.receipt()) instanceof SettleOutcome.Done) {
        expected.remove(msgId);
      }
    }

    private void reshard() {
      int shards = 1 + random.nextInt(MOST_SHARDS);
      changes++;
      rig.operate(
          () ->
              rig.mailbox()
                  .topicAdmin()
                  .put(
                      rig.caller,
                      ORDERS,
                      TopicOverrides.NONE.withReadyShards(shards),
                      Precondition.NONE));
      while (!rig.mailbox().isHealthy()) {
        rig.pass(Duration.ofMillis(50));
      }
    }

    /** They are reopened soon; no worker notices what happens until then. */
    private void loseSessions() {
      rig.broker.crash();
      rig.run();
      held.clear();
    }

    private void look() {
      int before = live();
      if (random.nextInt(4) == 0) {
        // Only where a shard is closed; its empty queue is left.
        rig.broker.failNextDeletion(0);
      }
      rig.operate(() -> rig.mailbox().queues().step());
      closed += before - live();
    }

    private int live() {
      return rig.mailbox().directory().existing(ORDERS).state().liveShards();
    }

    private void drain() {
      for (int i = 0; i < 10_000 && !expected.isEmpty(); i++) {
        recv();
        while (!held.isEmpty()) {
          settle();
        }
        rig.pass(VISIBILITY);
        look();
      }
      assertEquals(Set.of(), expected, "never came");
      for (int i = 0; i < MOST_SHARDS + 2; i++) {
        look();
      }
      Topic topic = rig.mailbox().directory().existing(ORDERS);
      assertEquals(topic.settings().readyShards(), topic.state().liveShards(), "all are closed");
      long entries = 0;
      for (int shard = 0; shard < topic.state().madeShards(); shard++) {
        LedgerVerdict verdict = rig.mailbox().ledgers().verify(rig.caller, ORDERS, shard, 1);
        entries += assertInstanceOf(LedgerVerdict.Intact.class, verdict).upTo();
      }
      assertEquals(accepted, entries, "entries of all ledgers");
    }
  }
}
