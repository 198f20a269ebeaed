package org.svcmailbox.core.cluster;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.mailbox.Seeds;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.TestTime;

/**
 * Random programs of four nodes that die, return, pause, become unfit and leave, while their
 * database comes and goes. A group moves only for a reason, and in quiet times the map is total and
 * balanced.
 */
class ClusterStepProgramTest {
  private static final URI URL = URI.create("http://node:8080");
  private static final int STEPS = 4_000;
  private static final int NODES = 4;
  private static final int GROUPS = 12;

  /** The longest trial, and all that must be found out and moved one by one. */
  private static final Duration QUIET = Duration.ofMinutes(2);

  static Stream<Long> seeds() {
    return Seeds.upTo(6);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void groupsMoveForAReasonAndComeToRest(long seed) {
    Program program = new Program(seed);
    for (int step = 0; step < STEPS; step++) {
      program.step();
      if (step % 500 == 499) {
        program.rest();
      }
    }
    program.requireAll(seed);
  }

  /** A process, or none, of one name. */
  private static final class Node {
    private final NodeId id;
    private @Nullable ClusterStep step;
    private boolean isFit = true;
    private boolean isLeaving;
    private long pausedUntil;
    private long next;

    /** The last beat that the store has, and when it was new. */
    private @Nullable Beat beat;

    private long heard;

    /** Since when the beats say that the node is unfit, or the moment of the last one. */
    private long unfitSince;

    Node(String name, long now) {
      id = new NodeId(name);
      pausedUntil = now;
      heard = now;
      unfitSince = now;
      next = now;
    }
  }

  private static final class Program {
    private final Random random;
    private final TestTime time = new TestTime();
    private final InMemoryClusterStore store = new InMemoryClusterStore(GROUPS);
    private final List<Node> nodes = new ArrayList<>();
    private final Map<String, Integer> met = new TreeMap<>();
    private final Map<Integer, Long> epochs = new HashMap<>();
    private GroupMap map = GroupMap.empty(GROUPS);

    Program(long seed) {
      random = new Random(seed);
      for (int i = 0; i < NODES; i++) {
        nodes.add(new Node("n" + i, time.nanos()));
      }
    }

    private void met(String what) {
      met.merge(what, 1, Integer::sum);
    }

    void requireAll(long seed) {
      Set<String> wanted =
          Set.of("death", "pause", "unfit", "leave", "away", "start", "moved", "orphan", "answer");
      Seeds.requireMet(seed, met.keySet().containsAll(wanted), met.toString());
    }

    void step() {
      Node node = nodes.get(random.nextInt(NODES));
      int dice = random.nextInt(1_000);
      if (dice < 6) {
        met("death");
        node.step = null;
      } else if (dice < 20 && node.step == null) {
        met("start");
        start(node);
      } else if (dice < 26) {
        met("pause");
        node.pausedUntil = time.nanos() + Duration.ofMillis(random.nextInt(20_000)).toNanos();
      } else if (dice < 32) {
        met("unfit");
        node.isFit = !node.isFit;
      } else if (dice < 36) {
        met("leave");
        node.isLeaving = !node.isLeaving;
      } else if (dice < 38) {
        met("away");
        store.away(true);
      } else if (dice < 50) {
        store.away(false);
      } else if (dice < 55) {
        met("answer");
        store.loseNextAnswer();
      }
      advance(Duration.ofMillis(100 + random.nextInt(200)));
    }

    private void start(Node node) {
      node.step = new ClusterStep(node.id, URL, GROUPS, random.nextLong(), store, time, time);
      node.isLeaving = false;
      node.isFit = true;
      node.next = time.nanos();
    }

    private void advance(Duration by) {
      time.advance(by);
      for (Node node : nodes) {
        if (node.step != null && isPast(node.next) && isPast(node.pausedUntil)) {
          node.next = time.nanos() + Duration.ofMillis(500).toNanos();
          turn(node, node.step);
        }
      }
    }

    private boolean isPast(long nanos) {
      return time.nanos() - nanos >= 0;
    }

    private void turn(Node node, ClusterStep step) {
      try {
        step.next(new NodeStanding(node.isLeaving, node.isFit ? "" : "unfit", 0));
        hear(node);
        serve(node, step);
      } catch (UnavailableException e) {
        hear(node);
      } catch (ReplacedException e) {
        throw new AssertionError("no two processes have one name", e);
      }
    }

    /** Notes what all nodes can see from now on. */
    private void hear(Node node) {
      Beat now = store.last(node.id);
      if (now != null && !now.equals(node.beat)) {
        boolean isSameLife = node.beat != null && node.beat.life() == now.life();
        boolean wasUnfit = isSameLife && !requireNonNull(node.beat).isFit();
        node.unfitSince = wasUnfit && !now.isFit() ? node.unfitSince : time.nanos();
        node.beat = now;
        node.heard = time.nanos();
      }
      requireReasons(node);
    }

    /** Takes the groups that nobody else who lives has, as a broker would let it. */
    private void serve(Node node, ClusterStep step) {
      Map<Integer, NodeId> holders = store.holders();
      for (int group : step.wishes()) {
        if (!node.id.equals(holders.get(group))) {
          publish(group, node);
        }
      }
    }

    private void publish(int group, Node node) {
      long epoch = epochs.merge(group, 1L, Long::sum);
      try {
        assertTrue(store.publish(group, node.id, epoch));
      } catch (UnavailableException e) {
        // The next step says so again.
      }
    }

    /** Each group that moved was with a node that could not keep it, or moved for balance. */
    private void requireReasons(Node planner) {
      GroupMap now = store.map();
      if (now.version() == map.version()) {
        return;
      }
      assertEquals(map.version() + 1, now.version(), "one successor of each map");
      int balanced = 0;
      for (int group = 0; group < GROUPS; group++) {
        NodeId before = map.nodeOf(group).orElse(null);
        NodeId after = now.nodeOf(group).orElseThrow();
        if (after.equals(before)) {
          continue;
        }
        Node heir = node(after);
        assertTrue(silentFor(heir) < 4_000, "a taker lived just now");
        if (before == null || mayLose(node(before))) {
          met("orphan");
        } else {
          met("moved");
          balanced++;
        }
      }
      assertTrue(balanced <= 1, () -> planner.id + " moves several groups that have a keeper");
      map = now;
    }

    private Node node(NodeId id) {
      return nodes.stream().filter(node -> node.id.equals(id)).findFirst().orElseThrow();
    }

    private long silentFor(Node node) {
      return Duration.ofNanos(time.nanos() - node.heard).toMillis();
    }

    /** Whether the node has been silent, unfit or about to leave for long enough. */
    private boolean mayLose(Node node) {
      Beat last = requireNonNull(node.beat);
      Duration unfit = Duration.ofNanos(time.nanos() - node.unfitSince);
      return silentFor(node) >= 2_500
          || last.isLeaving()
          || (!last.isFit() && unfit.compareTo(Members.UNFIT) >= 0);
    }

    /** With all nodes up and fit, every group comes to a node, with equal shares. */
    void rest() {
      store.away(false);
      for (Node node : nodes) {
        if (node.step == null) {
          start(node);
        }
        node.isLeaving = false;
        node.pausedUntil = time.nanos();
        node.isFit = true;
      }
      long until = time.nanos() + QUIET.toNanos();
      while (!isPast(until)) {
        advance(Duration.ofMillis(100));
      }
      GroupMap settled = store.map();
      Map<NodeId, Long> shares =
          settled.wishes().values().stream()
              .collect(Collectors.groupingBy(id -> id, TreeMap::new, Collectors.counting()));
      assertEquals(NODES, shares.size(), "every node has a share");
      assertEquals(List.of(3L, 3L, 3L, 3L), List.copyOf(shares.values()));
      assertEquals(new TreeMap<>(settled.wishes()), new TreeMap<>(store.holders()));
      for (Node node : nodes) {
        ClusterStep step = node.step;
        assertTrue(
            step != null && step.wishes().equals(settled.groupsOf(node.id)),
            () -> node.id + " knows its groups");
      }
    }
  }
}
