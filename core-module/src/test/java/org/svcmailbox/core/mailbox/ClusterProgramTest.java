package org.svcmailbox.core.mailbox;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.core.cluster.ClusterStep;
import org.svcmailbox.core.cluster.ClusterStore;
import org.svcmailbox.core.cluster.GroupHere;
import org.svcmailbox.core.cluster.InMemoryClusterStore;
import org.svcmailbox.core.cluster.MapFollower;
import org.svcmailbox.core.cluster.NodeGroups;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.cluster.PeerProbe.Answer;
import org.svcmailbox.core.cluster.ReplacedException;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Three nodes that follow the map by themselves, while processes die and stop, sessions end, and
 * the database goes away from one node or from all.
 */
class ClusterProgramTest {
  static Stream<Long> seeds() {
    return Seeds.upTo(1);
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void nodesOfOneWorkerAgreeWithTheModel(long seed) {
    new Program(seed, 1).run();
  }

  @ParameterizedTest(name = "-Dmailbox.seed={0}")
  @MethodSource("seeds")
  void nodesOfTwoWorkersAgreeWithTheModel(long seed) {
    new Program(seed, 2).run();
  }

  private static final class Program extends GroupMovesProgram {
    /** The longest trial, and all moves one after the other. */
    private static final Duration QUIET = Duration.ofMinutes(3);

    private final InMemoryClusterStore cluster = new InMemoryClusterStore(GROUPS);
    private final List<Member> members = new ArrayList<>();
    private final Map<String, Integer> met = new TreeMap<>();
    private boolean isAway;
    private boolean areApart;

    Program(long seed, int workers) {
      super(seed, workers);
      for (int i = 0; i < NODES; i++) {
        members.add(new Member("n" + i, nodes.nodes.get(i)));
      }
    }

    private void met(String what) {
      met.merge(what, 1, Integer::sum);
    }

    /** A process of one name, or none for a while. */
    private final class Member {
      private final NodeId id;
      private Node node;
      private MapFollower follower;
      private long next;
      private boolean isCut;
      private boolean isDown;

      Member(String name, Node node) {
        this.id = new NodeId(name);
        this.node = node;
        this.follower = follow();
        this.next = nodes.time.nanos();
      }

      private MapFollower follow() {
        ClusterStore own = mayBeCut();
        URI url = URI.create("http://" + id + ":8080");
        ClusterStep step =
            new ClusterStep(id, url, GROUPS, random.nextLong(), own, nodes.time, nodes.time);
        return new MapFollower(id, step, own, noted(), this::ask, nodes.time);
      }

      private ClusterStore mayBeCut() {
        return (ClusterStore)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ClusterStore.class},
                (proxy, method, arguments) -> {
                  if (isCut) {
                    throw new UnavailableException("cut off from the database");
                  }
                  try {
                    return method.invoke(cluster, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getCause();
                  }
                });
      }

      /** The mailbox's own groups, with a note of what is given away. */
      private NodeGroups noted() {
        NodeGroups groups = node.mailbox.groups();
        return new NodeGroups() {
          @Override
          public String unfit() {
            return groups.unfit();
          }

          @Override
          public long topicsSeen() {
            return groups.topicsSeen();
          }

          @Override
          public Set<Integer> wanted() {
            return groups.wanted();
          }

          @Override
          public void take(int group) {
            met("take");
            groups.take(group);
          }

          @Override
          public void giveAway(int group) {
            met("give");
            moveLeases(node, group);
            groups.giveAway(group);
          }

          @Override
          public Map<Integer, Long> served() {
            return groups.served();
          }

          @Override
          public GroupHere of(int group) {
            return groups.of(group);
          }
        };
      }

      private Answer ask(NodeView peer) {
        Member other =
            members.stream().filter(one -> one.id.equals(peer.node())).findFirst().orElseThrow();
        if (areApart || other.isDown || other.node == stopped) {
          return Answer.NONE;
        }
        return isAway || other.isCut ? Answer.DATABASE_AWAY : Answer.DATABASE_UP;
      }

      void turn() {
        boolean isDue = nodes.time.nanos() - next >= 0;
        if (!isDue || isDown || node == stopped) {
          return;
        }
        next = nodes.time.nanos() + MapFollower.EVERY.toNanos();
        try {
          follower.turn();
        } catch (UnavailableException e) {
          met(follower.isCutOff() ? "cut off" : "away");
        } catch (ReplacedException e) {
          throw new AssertionError("no two processes have one name", e);
        }
      }

      void die() {
        met("death");
        endLeases(node);
        node.die();
        isDown = true;
        nodes.run();
      }

      void start() {
        met("start");
        isDown = false;
        node = node.successor();
        follower = follow();
        next = nodes.time.nanos();
      }

      void leave() {
        met("leave");
        follower.leave();
      }
    }

    @Override
    void begin() {
      pass(Duration.ofSeconds(20));
    }

    @Override
    void pass(Duration by) {
      Duration longer = by.multipliedBy(3);
      for (Duration left = longer; left.toNanos() > 0; left = left.minusMillis(250)) {
        nodes.pass(left.toMillis() < 250 ? left : Duration.ofMillis(250));
        observe();
        members.forEach(Member::turn);
        nodes.run();
        observe();
      }
    }

    @Override
    void disturb() {
      Member member = members.get(random.nextInt(NODES));
      switch (random.nextInt(26)) {
        case 0 -> {
          if (mayDie(member)) {
            member.die();
          }
        }
        case 1, 2 -> away(true);
        case 3, 4, 5 -> away(false);
        case 6, 7 -> member.isCut = true;
        case 8, 9, 10 -> member.isCut = false;
        case 11 -> areApart = true;
        case 12, 13 -> areApart = false;
        case 14 -> cluster.loseNextAnswer();
        case 15 -> {
          if (!member.isDown && member.node != stopped) {
            member.leave();
          }
        }
        case 16, 17, 18 ->
            members.stream()
                .filter(one -> one.follower.hasLeft() && mayDie(one))
                .findFirst()
                .ifPresent(
                    one -> {
                      met("left");
                      one.die();
                    });
        default -> {
          if (member.isDown && !isAway) {
            member.start();
          }
          pass(Duration.ofMillis(random.nextInt(1_500)));
        }
      }
    }

    /** At least one process runs at any time. */
    private boolean mayDie(Member member) {
      return member.node != stopped && members.stream().noneMatch(one -> one.isDown);
    }

    private void away(boolean now) {
      isAway = now;
      cluster.away(now);
      nodes.store.away(now);
    }

    /** The map sees to it. */
    @Override
    void replace(Node lost) {
      met("stopped");
    }

    @Override
    void rest() {
      away(false);
      areApart = false;
      for (Member member : members) {
        member.isCut = false;
        if (!member.isDown && member.follower.isLeaving()) {
          member.die();
        }
        if (member.isDown) {
          member.start();
        }
      }
      pass(QUIET.dividedBy(3));
      for (Member member : members) {
        assertEquals(
            GROUPS / NODES, member.follower.step().wishes().size(), () -> member.id + " " + met);
        assertEquals(member.follower.step().wishes(), member.node.mailbox.groups().wanted());
        assertEquals("", member.follower.trouble());
      }
      for (int group = 0; group < GROUPS; group++) {
        requireKnown(group);
      }
    }

    @Override
    boolean hasMetEnough() {
      Set<String> wanted =
          Set.of("death", "start", "stopped", "away", "cut off", "leave", "take", "give", "left");
      return met.keySet().containsAll(wanted) && hasMet(200);
    }

    @Override
    public String toString() {
      return super.toString() + ", " + met;
    }

    /** Every node knows which one serves a group. */
    private void requireKnown(int group) {
      NodeId holder = requireNonNull(cluster.holders().get(group));
      for (Member member : members) {
        Owner owner = member.follower.owners().of(group);
        if (member.id.equals(holder)) {
          assertEquals(Owner.HERE, owner);
        } else if (owner instanceof Owner.Elsewhere elsewhere) {
          assertEquals(holder, elsewhere.node().node());
        } else {
          throw new AssertionError(member.id + " thinks that group " + group + " is " + owner);
        }
      }
    }

    @Override
    Node owner(int group) {
      return members.stream()
          .filter(member -> member.id.equals(cluster.holders().get(group)))
          .findFirst()
          .orElseThrow()
          .node;
    }
  }
}
