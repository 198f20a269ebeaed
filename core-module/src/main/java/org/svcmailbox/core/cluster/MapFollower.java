package org.svcmailbox.core.cluster;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.Ticker;

/**
 * Has a node follow the map: it waits for the logs of the groups that it should have, gives the
 * others away, and says which groups it serves. One thread takes turns; other threads may read.
 */
public final class MapFollower {
  /** The time between two turns. */
  public static final Duration EVERY = Duration.ofMillis(500);

  /**
   * A node that has not reached the database for so long asks the others. By then they have given
   * its groups to others if they reach it.
   */
  static final Duration ALONE = Duration.ofSeconds(5);

  private static final Logger LOG = System.getLogger(MapFollower.class.getName());

  private final NodeId self;
  private final ClusterStep step;
  private final ClusterStore store;
  private final NodeGroups groups;
  private final PeerProbe peers;
  private final Ticker ticker;
  private final TakeoverWatch takeovers;
  private Set<Integer> unwished = Set.of();
  private volatile boolean isLeaving;
  private volatile boolean isCutOff;
  private volatile long reached;

  public MapFollower(
      NodeId self,
      ClusterStep step,
      ClusterStore store,
      NodeGroups groups,
      PeerProbe peers,
      Ticker ticker) {
    this.self = self;
    this.step = step;
    this.store = store;
    this.groups = groups;
    this.peers = peers;
    this.ticker = ticker;
    this.takeovers = new TakeoverWatch(self, ticker);
    this.reached = ticker.nanos();
  }

  /** Gives all groups away from the next turn on, as long as another node can take them. */
  public void leave() {
    isLeaving = true;
  }

  /** Whether it leaves, and no group is left that another node could take. */
  public boolean hasLeft() {
    return isLeaving && (groups.served().isEmpty() || !step.view().hasTakerBeside(self));
  }

  /** Whether the node gives its groups away. */
  public boolean isLeaving() {
    return isLeaving;
  }

  /** Whether it gave all groups away because the others must take it for dead. */
  public boolean isCutOff() {
    return isCutOff;
  }

  /** Time since the database last answered this node. */
  public Duration silence() {
    return Duration.ofNanos(ticker.nanos() - reached);
  }

  /** The name of this node. */
  NodeId self() {
    return self;
  }

  /** How a group stands here. It is closed only while this node should have it. */
  GroupHere here(int group) {
    GroupHere found = groups.of(group);
    return found.state() == GroupHere.State.CLOSED && !step.wishes().contains(group)
        ? GroupHere.of(GroupHere.State.AWAY)
        : found;
  }

  /** The takeovers so far. */
  public TakeoverWatch takeovers() {
    return takeovers;
  }

  /** The node's part in the cluster. */
  public ClusterStep step() {
    return step;
  }

  /**
   * Does what is due, once.
   *
   * @throws ReplacedException if another process has this node's name; this one must end
   * @throws UnavailableException if the database is away; the next turn repeats what is missing
   */
  public void turn() throws ReplacedException {
    try {
      step.next(new NodeStanding(isLeaving, groups.unfit(), groups.topicsSeen()));
    } catch (UnavailableException e) {
      endIfDead();
      throw e;
    }
    reached = ticker.nanos();
    isCutOff = false;
    obey();
    publish();
  }

  /**
   * Takes what it should have. It gives away what it should not have had in the last turn either:
   * by then the heir has read the map, too, and waits for the log.
   */
  private void obey() {
    Set<Integer> wishes = step.wishes();
    Set<Integer> extra = without(groups.wanted(), wishes);
    extra.stream().filter(unwished::contains).forEach(this::giveAway);
    unwished = extra;
    without(wishes, groups.wanted()).forEach(this::take);
  }

  private static Set<Integer> without(Set<Integer> groups, Set<Integer> others) {
    Set<Integer> left = new TreeSet<>(groups);
    left.removeAll(others);
    return left;
  }

  private void take(int group) {
    takeovers.begun(group, step.view());
    groups.take(group);
  }

  private void giveAway(int group) {
    takeovers.ended(group);
    groups.giveAway(group);
  }

  /** Also repeats what a database that fell back has forgotten. */
  private void publish() {
    Map<Integer, Long> served = new HashMap<>(groups.served());
    served.forEach(takeovers::served);
    ClusterView view = step.view();
    served.keySet().removeIf(group -> view.isHolder(self, group));
    served.forEach((group, epoch) -> store.publish(group, self, epoch));
  }

  /**
   * Without the database nobody counts anybody, so groups stay where they are. A node that the
   * others can count as dead, or that has lost all of them, gives its groups to them.
   */
  private void endIfDead() {
    if (silence().compareTo(ALONE) < 0) {
      return;
    }
    List<NodeView> others =
        step.view().nodes().stream().filter(node -> !node.node().equals(self)).toList();
    Set<PeerProbe.Answer> answers = new TreeSet<>();
    for (NodeView other : others) {
      answers.add(peers.ask(other));
    }
    boolean hadPeers = others.stream().anyMatch(NodeView::isAlive);
    boolean isDead =
        answers.contains(PeerProbe.Answer.DATABASE_UP)
            || (hadPeers && !answers.contains(PeerProbe.Answer.DATABASE_AWAY));
    if (isDead) {
      tellCutOff(answers);
      groups.wanted().forEach(this::giveAway);
    }
    isCutOff = isDead;
  }

  private void tellCutOff(Set<PeerProbe.Answer> answers) {
    if (!isCutOff) {
      LOG.log(
          Level.WARNING,
          "Node {0} gives its groups away: it does not reach the database, {1}",
          self,
          answers.contains(PeerProbe.Answer.DATABASE_UP)
              ? "but another node does"
              : "and no other node answers");
    }
  }

  /** Where each group's calls are served. */
  public Owners owners() {
    return new LiveOwners(self, step::view, group -> groups.served().containsKey(group));
  }

  /** Whether no other node can act by topics older than a version, as of the last look. */
  public boolean knowTopics(long version) {
    return step.view().knowTopics(self, version);
  }

  /** Why this node is no member; empty if it is. */
  public String trouble() {
    return Stream.of(
            Optional.of("the node leaves the cluster").filter(text -> isLeaving),
            Optional.of("the node has not joined the cluster").filter(text -> !step.hasJoined()),
            Optional.of("the node is cut off from the database").filter(text -> isCutOff))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse("");
  }

  /** Other nodes and groups that lack something; empty if there are none. */
  public String remarks() {
    ClusterView view = step.view();
    Stream<String> nodes =
        view.sightings().stream()
            .filter(one -> one.state() == Sighting.State.DEAD)
            .map(one -> "node %s is dead".formatted(one.beat().node()));
    Stream<String> closed =
        IntStream.range(0, view.map().groups())
            .filter(group -> here(group).state() == GroupHere.State.CLOSED)
            .mapToObj(group -> "group %d is closed: %s".formatted(group, here(group).trouble()));
    return Stream.concat(nodes, closed).collect(Collectors.joining("; "));
  }
}
