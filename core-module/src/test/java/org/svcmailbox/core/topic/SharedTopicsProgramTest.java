package org.svcmailbox.core.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.TopicChangingException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.SettingsLoader;
import org.svcmailbox.core.time.TestTime;

/**
 * Random changes at three nodes, whose database loses answers, is away, or falls back. The naive
 * twin is a map with what each topic was last changed to.
 */
class SharedTopicsProgramTest {
  private static final int STEPS = 2_000;
  private static final int NAMES = 6;
  private static final int NODES = 3;

  private static final class Program {
    private final Random random;
    private final boolean fallsBack;
    private final TestTime time = new TestTime();
    private final InMemoryTopicStore store = new InMemoryTopicStore(id -> {});
    private final List<TopicDirectory> nodes = new ArrayList<>();
    private final Map<TopicName, Integer> last = new HashMap<>();
    private InMemoryTopicStore snapshot;
    private int written;
    private int overtaken;
    private int lostAnswers;
    private int fallbacks;

    Program(long seed, boolean fallsBack) {
      this.random = new Random(seed);
      this.fallsBack = fallsBack;
      this.snapshot = store.copy();
      for (int i = 0; i < NODES; i++) {
        nodes.add(node());
      }
    }

    private TopicDirectory node() {
      Map<String, String> settings = Map.of("mailbox.topics.auto_create", "false");
      TopicDirectory node =
          new TopicDirectory(
              store,
              time,
              new NoQueues(),
              SettingsLoader.load(key -> Optional.ofNullable(settings.get(key)), Set.of(), 1));
      node.load(0);
      return node;
    }

    void run() {
      for (int step = 0; step < STEPS; step++) {
        step(nodes.get(random.nextInt(NODES)));
      }
      store.away(false);
      settle();
    }

    private void step(TopicDirectory node) {
      TopicName name = new TopicName("t" + random.nextInt(NAMES));
      int value = 1 + written % 1_000;
      switch (random.nextInt(fallsBack ? 12 : 10)) {
        case 0, 1, 2, 3 -> change(node, name, value, known -> {});
        case 4 -> change(node, name, value, known -> overtake(node, name));
        case 5 -> {
          store.failNext(random.nextBoolean() ? Fault.BEFORE : Fault.AFTER);
          change(node, name, value, known -> {});
        }
        case 6 -> store.away(random.nextInt(4) == 0);
        case 7 -> lookUp(node, name);
        case 8, 9 -> follow(node);
        case 10 -> snapshot = store.copy();
        default -> fallBack();
      }
    }

    private void change(
        TopicDirectory node, TopicName name, int value, Consumer<@Nullable Topic> before) {
      written++;
      try {
        boolean unused = node.put(name, attempts(value), before);
        last.put(name, value);
      } catch (TopicChangingException e) {
        overtaken++;
      } catch (UnavailableException e) {
        // An answer may be lost, so the row decides.
        lostAnswers++;
        store.find(name).ifPresent(row -> last.put(name, attempts(row)));
      }
    }

    private void overtake(TopicDirectory than, TopicName name) {
      TopicDirectory other = nodes.get((nodes.indexOf(than) + 1) % NODES);
      change(other, name, 1 + written % 1_000, known -> {});
    }

    private void lookUp(TopicDirectory node, TopicName name) {
      try {
        Topic unused = node.existing(name);
      } catch (UnavailableException | NotFoundException e) {
        // As it may be.
      }
    }

    private void follow(TopicDirectory node) {
      try {
        node.follow();
      } catch (UnavailableException e) {
        // A later look finds it.
      }
    }

    /** Nodes learn of it with their connections, some of them after more changes. */
    private void fallBack() {
      fallbacks++;
      store.replaceBy(snapshot);
      for (TopicDirectory node : nodes) {
        node.restore(Set.of());
        if (random.nextBoolean()) {
          follow(node);
        }
      }
    }

    private void settle() {
      Set<TopicName> known = new HashSet<>();
      nodes.forEach(node -> node.all().forEach(topic -> known.add(topic.name())));
      // One look more for each, because an answer may still be lost.
      for (int round = 0; round < NODES + 1; round++) {
        nodes.forEach(this::follow);
      }
      Map<TopicName, Integer> rows =
          store.all().stream()
              .collect(Collectors.toMap(TopicStore.StoredTopic::name, Program::attempts));
      assertTrue(rows.keySet().containsAll(known), "a topic is lost");
      for (TopicDirectory node : nodes) {
        assertEquals(rows.keySet().size(), node.size());
        for (Topic topic : node.all()) {
          assertEquals(rows.get(topic.name()), topic.settings().maxAttempts());
          assertEquals(store.row(topic.name()).orElseThrow().topic().id(), topic.id());
        }
        assertEquals(store.after(0).version(), node.version());
        Set<TopicName> unused = node.takeStale();
        node.follow();
        assertEquals(Set.of(), node.takeStale(), "it is settled");
      }
      if (!fallsBack) {
        assertEquals(last, rows);
      }
    }

    private static int attempts(TopicStore.StoredTopic row) {
      Integer most = row.state().overrides().maxAttempts();
      return most == null ? 0 : most;
    }

    private static TopicOverrides attempts(int most) {
      return new TopicOverrides(4, null, null, most, null, null, null, RetentionOverrides.NONE);
    }
  }

  private static final class NoQueues implements TopicDirectory.Queues {
    @Override
    public void requireAnswer() {}

    @Override
    public void create(Topic topic) {}

    @Override
    public void delete(Topic topic) {
      throw new AssertionError("nodes delete no topics");
    }

    @Override
    public void delete(Topic topic, BooleanSupplier isEnding) {
      throw new AssertionError("no node deletes a topic");
    }

    @Override
    public void forget(TopicName name) {
      throw new AssertionError("no node deletes a topic");
    }

    @Override
    public void delete(ShardId shard) {
      throw new AssertionError("nodes close no shards");
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void noAnsweredChangeIsLost(long seed) {
    Program program = new Program(seed, /* fallsBack= */ false);
    program.run();
    assertTrue(program.overtaken > 20 && program.lostAnswers > 50, () -> told(program));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7})
  void nodesAgreeAgainAfterFallbacks(long seed) {
    Program program = new Program(seed, /* fallsBack= */ true);
    program.run();
    assertTrue(program.fallbacks > 50, () -> told(program));
  }

  private static String told(Program program) {
    return "%d overtaken, %d answers lost, %d fallbacks"
        .formatted(program.overtaken, program.lostAnswers, program.fallbacks);
  }

  @Test
  void topicsAreMadeOnceByAll() {
    Program program = new Program(8, /* fallsBack= */ false);
    for (TopicDirectory node : program.nodes) {
      program.change(node, new TopicName("orders"), 3, known -> {});
    }
    assertEquals(1, program.store.all().size());
    program.settle();
  }
}
