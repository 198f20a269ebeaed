package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.sendlog.InMemorySendLogStore;
import org.svcmailbox.core.sendlog.LogEntry;
import org.svcmailbox.core.sendlog.StoresRefusedException;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.ShardId;

/**
 * Random programs in which an older database is put beside the broker again and again, and messages
 * with numbers that others have are put into its queues. No message is lost, no number is given
 * twice, and no worker fails.
 */
class RestoredDatabaseProgramTest {
  private static final int STEPS = 4_000;
  private static final List<String> TOPICS = List.of("orders", "refunds", "parcels");
  private static final Duration LONG = Duration.ofHours(1);
  private static final Map<String, String> SETTINGS =
      Map.of(
          "mailbox.workers", "2",
          "mailbox.ready_shards", "2",
          "mailbox.projection.entries", "128");

  static Stream<Long> seeds() {
    return Seeds.upTo(2);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void anOlderDatabaseCostsNoMessageAndNoOrder(long seed) {
    new Program(seed).run();
  }

  private static final class Program {
    private final long seed;
    private final Random random;
    private final MailboxRig rig;
    private final Map<MsgId, Envelope> live = new HashMap<>();
    private final Map<ShardId, Set<Long>> given = new HashMap<>();
    private final Set<MsgId> sinceBackup = new HashSet<>();
    private InMemorySendLogStore log;
    private InMemoryTopicStore topics;
    private int keys;
    private int planted;
    private int lossy;
    private int replayed;

    Program(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.rig = new MailboxRig(seed, SETTINGS);
      this.log = rig.log.copy();
      this.topics = rig.topics.copy();
    }

    void run() {
      rig.run();
      // How far the projector's thread came decides what a restore loses, so the cases vary.
      for (int step = 0; step < STEPS || (!hasMetItsCases() && step < 4 * STEPS); step++) {
        act();
        assertTrue(rig.mailbox().isHealthy(), () -> "a worker failed, seed " + seed);
      }
      drain();
      Seeds.requireMet(
          seed,
          hasMetItsCases(),
          "%d planted, %d lossy restores, %d replays".formatted(planted, lossy, replayed));
    }

    private boolean hasMetItsCases() {
      return planted > 20 && lossy > 10 && replayed > 10;
    }

    private void act() {
      int dice = random.nextInt(100);
      if (dice < 50) {
        send(TOPICS.get(random.nextInt(TOPICS.size())));
      } else if (dice < 90) {
        receive(TOPICS.get(random.nextInt(TOPICS.size())));
      } else if (dice < 93) {
        plant();
      } else if (dice < 96) {
        log = rig.log.copy();
        topics = rig.topics.copy();
        sinceBackup.clear();
      } else if (dice < 98) {
        restore();
      } else {
        rig.crash();
      }
    }

    private void send(String topic) {
      SendOutcome sent = rig.send(topic, "key-" + keys++, "x");
      MsgId id = assertInstanceOf(SendOutcome.Accepted.class, sent).msgId();
      Envelope envelope = requireNonNull(rig.broker.everything().get(id)).envelope();
      ShardId shard = new ShardId(envelope.topic(), envelope.shard());
      assertTrue(
          given.computeIfAbsent(shard, none -> new HashSet<>()).add(envelope.seq()),
          () -> shard + " gave " + envelope.seq() + " twice");
      live.put(id, envelope);
      sinceBackup.add(id);
    }

    private void receive(String topic) {
      for (LeasedMessage leased : recv(topic, 1 + random.nextInt(3))) {
        if (random.nextInt(4) > 0) {
          acknowledge(leased);
        }
      }
    }

    private List<LeasedMessage> recv(String topic, int most) {
      RecvOutcome outcome =
          MailboxRig.answered(rig.recv(topic, most, LONG, Duration.ZERO).outcome());
      return assertInstanceOf(Delivered.class, outcome).messages();
    }

    private void acknowledge(LeasedMessage leased) {
      MsgId id = leased.message().envelope().msgId();
      assertInstanceOf(SettleOutcome.Done.class, rig.ack(id, leased.receipt()));
      assertTrue(live.remove(id) != null, "an invented message");
    }

    /** A message with the number of another, as a service left it that gave numbers twice. */
    private void plant() {
      List<StoredMessage> there = new ArrayList<>(rig.broker.everything().values());
      if (there.isEmpty()) {
        return;
      }
      StoredMessage one = there.get(random.nextInt(there.size()));
      ShardId shard = new ShardId(one.envelope().topic(), one.envelope().shard());
      StoredMessage twin = SampleMessages.twin(one, rig.clock.instant());
      rig.broker.putMessage(shard, twin);
      live.put(twin.envelope().msgId(), twin.envelope());
      planted++;
    }

    /** Batches older than the log must be accepted as lost; all others are applied again. */
    private void restore() {
      if (random.nextInt(5) == 0) {
        outrun();
      }
      rig.log.replaceBy(log);
      rig.topics.replaceBy(topics);
      try {
        rig.crash();
        assertEquals("", rig.mailbox().storeMismatch());
        replayed += sinceBackup.isEmpty() ? 0 : 1;
      } catch (StoresRefusedException e) {
        acceptTheLoss(String.valueOf(e.getMessage()));
        lossy++;
      }
      sinceBackup.clear();
      log = rig.log.copy();
      topics = rig.topics.copy();
    }

    /** So many batches that the log does not reach back to the backup. */
    private void outrun() {
      for (int i = 0; i < 4 * LogEntry.LEAST; i++) {
        String topic = TOPICS.get(i % TOPICS.size());
        send(topic);
        recv(topic, 3).forEach(this::acknowledge);
      }
    }

    private void acceptTheLoss(String refusal) {
      Map<String, String> accepting = new HashMap<>(SETTINGS);
      accepting.put("mailbox.accept", refusal.substring(refusal.lastIndexOf('=') + 1));
      rig.crashInto(accepting);
      assertNotEquals("", rig.mailbox().storeMismatch(), "the loss was not told");
    }

    /** Everything is there and comes in its order. */
    private void drain() {
      rig.crash();
      // A topic that the database lost is seen again once it is made again.
      TOPICS.forEach(this::send);
      for (String topic : TOPICS) {
        Map<Integer, List<Envelope>> came = new HashMap<>();
        List<LeasedMessage> some = recv(topic, 100);
        while (!some.isEmpty()) {
          for (LeasedMessage leased : some) {
            Envelope envelope = leased.message().envelope();
            came.computeIfAbsent(envelope.shard(), none -> new ArrayList<>()).add(envelope);
            acknowledge(leased);
          }
          some = recv(topic, 100);
        }
        came.values().forEach(Program::assertOrdered);
      }
      assertEquals(Map.of(), live, "never came");
    }

    private static void assertOrdered(List<Envelope> came) {
      List<Envelope> ordered = new ArrayList<>(came);
      ordered.sort(Comparator.comparingLong(Envelope::seq).thenComparing(Envelope::msgId));
      assertEquals(
          ordered.stream().map(Envelope::msgId).toList(),
          came.stream().map(Envelope::msgId).toList());
    }
  }
}
