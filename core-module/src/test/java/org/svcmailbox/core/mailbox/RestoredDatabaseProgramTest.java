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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.batch.BatchLogEntry;
import org.svcmailbox.core.batch.InMemoryProjectionStore;
import org.svcmailbox.core.batch.StoresRefusedException;
import org.svcmailbox.core.broker.SampleMessages;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.ShardId;

/**
 * Random programs in which an older database is put beside the broker again and again, at a restart
 * or under a running server. The number of workers changes, and the queues get messages with
 * numbers that others have. No message is lost, no number is given twice, no key is taken twice,
 * and no worker fails.
 */
class RestoredDatabaseProgramTest {
  /** Of one history; as many more until it has met its cases. */
  private static final int STEPS = 150;

  private static final int MOST_WORKERS = 6;
  private static final List<String> TOPICS = List.of("orders", "refunds", "parcels");
  private static final Duration LONG = Duration.ofHours(1);
  private static final Map<String, String> SETTINGS =
      Map.of("mailbox.ready_shards", "3", "mailbox.projection.entries", "128");

  static Stream<Long> seeds() {
    return Seeds.upTo(Integer.getInteger("restore.histories", 24));
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

    /** Keys that no accepted loss has freed, with their messages. */
    private final Map<String, MsgId> taken = new LinkedHashMap<>();

    private final Set<MsgId> sinceBackup = new HashSet<>();

    /** Tells how a failure came about. */
    private final List<String> acts = new ArrayList<>();

    private InMemoryProjectionStore log;
    private InMemoryTopicStore topics;
    private int keys;
    private int planted;
    private int lossy;
    private int replayed;
    private int resized;

    Program(long seed) {
      this.seed = seed;
      this.random = new Random(seed);
      this.rig = new MailboxRig(seed, settings());
      this.log = rig.log.copy();
      this.topics = rig.topics.copy();
    }

    /** Each start may have another number of workers. */
    private Map<String, String> settings() {
      Map<String, String> settings = new HashMap<>(SETTINGS);
      settings.put("mailbox.workers", String.valueOf(1 + random.nextInt(MOST_WORKERS)));
      return settings;
    }

    void run() {
      rig.run();
      // How far the projector's thread came decides what a restore loses, so the cases vary.
      for (int step = 0; step < STEPS || (!hasMetItsCases() && step < 10 * STEPS); step++) {
        act();
        assertTrue(rig.mailbox().isHealthy(), () -> "a worker failed, seed " + seed);
      }
      drain();
      assertLedgersRise();
      Seeds.requireMet(
          seed,
          hasMetItsCases(),
          "%d planted, %d lossy restores, %d replays, %d resizes"
              .formatted(planted, lossy, replayed, resized));
    }

    private boolean hasMetItsCases() {
      return planted > 0 && lossy > 0 && replayed > 1 && resized > 2;
    }

    private void act() {
      int dice = random.nextInt(100);
      if (dice < 45) {
        send(anyTopic());
      } else if (dice < 52) {
        repeat();
      } else if (dice < 88) {
        receive(anyTopic());
      } else if (dice < 90) {
        plant();
      } else if (dice < 93) {
        backUp();
      } else if (dice < 95) {
        restore();
      } else if (dice < 97) {
        promote();
      } else {
        restart();
      }
    }

    private String anyTopic() {
      return TOPICS.get(random.nextInt(TOPICS.size()));
    }

    private void send(String topic) {
      send(topic, /* shardKey= */ null);
    }

    private void send(String topic, @Nullable String shardKey) {
      String key = "key-" + keys++;
      SendOutcome sent = rig.send(topic, key, "x", shardKey, Duration.ZERO);
      MsgId id = assertInstanceOf(SendOutcome.Accepted.class, sent, () -> sent + said()).msgId();
      Envelope envelope = requireNonNull(rig.broker.everything().get(id)).envelope();
      ShardId shard = new ShardId(envelope.topic(), envelope.shard());
      assertTrue(
          given.computeIfAbsent(shard, none -> new HashSet<>()).add(envelope.seq()),
          () -> shard + " gave " + envelope.seq() + " twice" + said());
      live.put(id, envelope);
      taken.put(topic + "/" + key, id);
      sinceBackup.add(id);
    }

    /** A key that no loss has freed names its message, whatever worker took it. */
    private void repeat() {
      if (taken.isEmpty()) {
        return;
      }
      List<String> all = List.copyOf(taken.keySet());
      String one = all.get(random.nextInt(all.size()));
      String[] parts = one.split("/", 2);
      assertEquals(
          new SendOutcome.Accepted(requireNonNull(taken.get(one)), /* duplicate= */ true),
          rig.send(parts[0], parts[1], "x"),
          () -> one + said());
    }

    private void note(String act) {
      acts.add("%s@%d".formatted(act, rig.settings.workers()));
    }

    private String said() {
      List<String> last = acts.subList(Math.max(0, acts.size() - 20), acts.size());
      return ", seed %d: %s %s".formatted(seed, rig.mailbox().projectionTrouble(), last);
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

    private void backUp() {
      note("back up");
      log = rig.log.copy();
      topics = rig.topics.copy();
      sinceBackup.clear();
    }

    private void fallBack() {
      note("fall back");
      if (random.nextInt(4) == 0) {
        outrun();
      }
      rig.log.replaceBy(log);
    }

    /** Batches older than the log must be accepted as lost; all others are applied again. */
    private void restore() {
      fallBack();
      rig.topics.replaceBy(topics);
      replayed += sinceBackup.isEmpty() ? 0 : 1;
      restart();
      backUp();
    }

    /** As a replica that lags, but has every topic: the server goes on, unless it cannot. */
    private void promote() {
      fallBack();
      rig.pass(Duration.ofSeconds(2));
      if (!rig.mailbox().projectionTrouble().isEmpty()) {
        restart();
      }
      backUp();
    }

    private void restart() {
      note("restart");
      Map<String, String> settings = settings();
      int workers = rig.settings.workers();
      try {
        rig.crashInto(settings);
        assertEquals("", rig.mailbox().storeMismatch());
      } catch (StoresRefusedException e) {
        acceptTheLoss(settings, String.valueOf(e.getMessage()));
        lossy++;
      }
      resized += workers == rig.settings.workers() ? 0 : 1;
    }

    /** So many batches of one worker that its log does not reach back to the backup. */
    private void outrun() {
      note("outrun");
      String topic = anyTopic();
      for (int i = 0; i < 2 * BatchLogEntry.LEAST + 8; i++) {
        send(topic, "one");
        if (i % 8 == 0) {
          recv(topic, 10).forEach(this::acknowledge);
        }
      }
    }

    private void acceptTheLoss(Map<String, String> settings, String refusal) {
      note("accept");
      Map<String, String> accepting = new HashMap<>(settings);
      accepting.put("mailbox.accept", refusal.substring(refusal.lastIndexOf('=') + 1));
      rig.crashInto(accepting);
      assertNotEquals("", rig.mailbox().storeMismatch(), "the loss was not told");
      taken.clear();
    }

    /** Everything is there and comes in its order. */
    private void drain() {
      restart();
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

    /** Each number is in its ledger once, and each ledger ends where its head says. */
    private void assertLedgersRise() {
      rig.log
          .heads()
          .forEach(
              (ledger, head) -> {
                List<Long> seqs =
                    rig.log.ledger(ledger, 1, Integer.MAX_VALUE).stream()
                        .map(LedgerEntry::seq)
                        .toList();
                assertEquals(seqs.stream().sorted().distinct().toList(), seqs);
                assertEquals(head.seq(), seqs.get(seqs.size() - 1));
              });
    }
  }
}
