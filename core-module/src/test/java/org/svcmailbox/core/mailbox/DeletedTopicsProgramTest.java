package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.TestTime;
import org.svcmailbox.core.topic.Fault;
import org.svcmailbox.core.topic.InMemoryTopicStore;
import org.svcmailbox.core.topic.RetentionOverrides;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.SharedTopicStore.Stage;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;

/**
 * Three nodes create and delete topics. They die, stop and come back behind the others, and stop
 * while they remove queues. The naive twin knows which topics were answered to be there or not.
 */
class DeletedTopicsProgramTest {
  private static final int STEPS = 6_000;
  private static final int NAMES = 4;
  private static final int NODES = 3;

  /** A connection to the broker ends within this time of its node's stop. */
  private static final Duration CONNECTED = Duration.ofSeconds(3);

  private static final class Program {
    private final Random random;
    private final TestTime time = new TestTime();
    private final InMemoryTopicStore store = new InMemoryTopicStore(id -> {});
    private final MailboxSettings settings =
        SettingsLoader.load(
            key -> Optional.ofNullable(Map.of("mailbox.topics.auto_create", "false").get(key)),
            Set.of(),
            1);
    private final List<Node> nodes = new ArrayList<>();

    /** The topic whose messages a name's queues have. */
    private final Map<TopicName, Integer> queues = new HashMap<>();

    /** Whether there is a topic of the name, by the last answer. */
    private final Map<TopicName, Boolean> answered = new HashMap<>();

    private int nested;
    private int deleted;
    private int returned;
    private int missed;
    private int removedLate;
    private int madeAgain;

    /** A node. A stopped one counts as dead, and learns nothing. */
    private final class Node {
      private final TopicDirectory topics =
          new TopicDirectory(store, time, new NodeQueues(this), settings);
      private final TopicEndings endings = new TopicEndings(topics, Program.this::knowAll, time);
      private long seen;
      private boolean isStopped;

      Node() {
        topics.load(0);
      }

      void follow() {
        topics.follow();
        long version = topics.version();
        Set<TopicName> stale = topics.takeStale();
        if (random.nextInt(8) == 0) {
          // Its workers do not answer.
          topics.stayStale(stale);
          return;
        }
        stale.forEach(name -> topics.ending(name).ifPresent(topics::released));
        seen = version;
      }

      boolean uses(Topic topic) {
        return topics.find(topic.name()).filter(one -> one.id() == topic.id()).isPresent();
      }
    }

    /** The broker as a node has it. */
    private final class NodeQueues implements TopicDirectory.Queues {
      private final Node node;

      NodeQueues(Node node) {
        this.node = node;
      }

      @Override
      public void requireAnswer() {}

      @Override
      public void create(Topic topic) {
        Integer before = queues.put(topic.name(), topic.id());
        assertTrue(before == null || before == topic.id(), "a topic inherits messages");
      }

      @Override
      public void delete(Topic topic, BooleanSupplier isEnding) {
        if (!isEnding.getAsBoolean()) {
          throw new UnavailableException("it is not ending");
        }
        boolean goesOn = nodes.stream().anyMatch(other -> other != node && !other.isStopped);
        if (goesOn && nested == 0 && random.nextInt(3) == 0) {
          pause(node);
        }
        for (Node other : nodes) {
          assertTrue(other.isStopped || !other.uses(topic), "a node still uses the topic");
        }
        Integer there = queues.remove(topic.name());
        assertTrue(there == null || there == topic.id(), "another topic's queues are removed");
        if (random.nextInt(4) == 0) {
          throw new UnavailableException("the answer is lost");
        }
      }

      @Override
      public void delete(Topic topic) {
        throw new AssertionError("no server is alone");
      }

      @Override
      public void delete(ShardId shard) {
        throw new AssertionError("no node closes shards");
      }

      @Override
      public void forget(TopicName name) {}
    }

    Program(long seed) {
      random = new Random(seed);
      for (int i = 0; i < NODES; i++) {
        nodes.add(new Node());
      }
    }

    private boolean knowAll(long version) {
      return nodes.stream().allMatch(node -> node.isStopped || node.seen >= version);
    }

    /** The node stops for less than its connection lives; the others go on. */
    private void pause(Node node) {
      nested++;
      boolean before = node.isStopped;
      node.isStopped = true;
      long left = CONNECTED.minusMillis(1).toMillis();
      for (int step = 0; step < 40 && left > 0; step++) {
        long passes = Math.min(left, random.nextInt(200));
        time.advance(Duration.ofMillis(passes));
        left -= passes;
        step(running());
      }
      node.isStopped = before;
      nested--;
      removedLate++;
    }

    private Node running() {
      List<Node> running = nodes.stream().filter(node -> !node.isStopped).toList();
      return running.get(random.nextInt(running.size()));
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        time.advance(Duration.ofMillis(random.nextInt(300)));
        step(running());
      }
      store.away(false);
      nodes.forEach(node -> node.isStopped = false);
      settle();
    }

    private void step(Node node) {
      TopicName name = new TopicName("t" + random.nextInt(NAMES));
      try {
        switch (random.nextInt(20)) {
          case 0, 1, 2 -> put(node, name);
          case 3, 4 -> delete(node, name);
          case 5 -> node.topics.pause(name, random.nextBoolean());
          case 6 -> replace(node);
          case 7 -> stop(node);
          case 8 -> goOn();
          case 9 -> store.away(random.nextInt(4) == 0);
          case 10 -> store.failNext(random.nextBoolean() ? Fault.BEFORE : Fault.AFTER);
          case 11, 12, 13, 14 -> node.endings.step();
          default -> node.follow();
        }
      } catch (UnavailableException | NotFoundException e) {
        // The row decides.
        answered.remove(name);
      }
    }

    private void put(Node node, TopicName name) {
      boolean made = node.topics.put(name, attempts(1 + random.nextInt(9)), known -> {});
      answered.put(name, true);
      madeAgain += made && deleted > 0 ? 1 : 0;
    }

    private void delete(Node node, TopicName name) {
      node.topics.delete(name, unused -> {});
      answered.remove(name);
      if (node.topics.isEmptied(name)) {
        answered.put(name, false);
      }
      deleted++;
    }

    private void replace(Node node) {
      nodes.set(nodes.indexOf(node), new Node());
    }

    private void stop(Node node) {
      node.isStopped = nodes.stream().filter(one -> !one.isStopped).count() > 1;
    }

    /** Stopped nodes go on, some after a name was made free. */
    private void goOn() {
      for (Node node : nodes) {
        if (node.isStopped && nested == 0 && random.nextInt(6) == 0) {
          node.isStopped = false;
          returned++;
          missed += node.topics.all().stream().anyMatch(topic -> !isThere(topic)) ? 1 : 0;
        }
      }
    }

    private boolean isThere(Topic topic) {
      return store.find(topic.name()).filter(row -> row.id() == topic.id()).isPresent();
    }

    private static TopicOverrides attempts(int most) {
      return new TopicOverrides(4, null, null, most, null, null, null, RetentionOverrides.NONE);
    }

    private void settle() {
      // From here on no node stops.
      nested++;
      Node leader = nodes.get(0);
      for (int round = 0; round < 60 || !store.ended().isEmpty(); round++) {
        assertTrue(round < 1_000, () -> "deletions do not end: " + store.ended());
        time.advance(Duration.ofSeconds(1));
        for (Node node : nodes) {
          attempt(node::follow);
        }
        attempt(leader.endings::step);
      }
      Set<TopicName> rows = new HashSet<>();
      store.all().forEach(row -> rows.add(row.name()));
      for (Node node : nodes) {
        assertEquals(rows.size(), node.topics.size());
        node.topics.all().forEach(topic -> assertEquals(row(topic), topic.id()));
        assertEquals(store.after(0).version(), node.seen);
      }
      assertTrue(rows.containsAll(queues.keySet()), "queues of a topic that is gone");
      answered.forEach((name, there) -> assertEquals(there, rows.contains(name), name.value()));
    }

    private int row(Topic topic) {
      return store
          .row(topic.name())
          .filter(row -> row.stage() == Stage.LIVE)
          .orElseThrow()
          .topic()
          .id();
    }

    private static void attempt(Runnable work) {
      try {
        work.run();
      } catch (UnavailableException e) {
        // The next round repeats it.
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void aDeletedTopicIsGoneAndTakesNoLaterOneWithIt(long seed) {
    Program program = new Program(seed);
    program.run();
    assertTrue(
        program.deleted > 50
            && program.returned > 20
            && program.missed > 1
            && program.removedLate > 1
            && program.madeAgain > 20,
        () ->
            "%d deleted, %d nodes returned, %d missed a deletion, %d removed late, %d made again"
                .formatted(
                    program.deleted,
                    program.returned,
                    program.missed,
                    program.removedLate,
                    program.madeAgain));
  }
}
