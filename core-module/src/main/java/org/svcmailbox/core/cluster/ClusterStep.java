package org.svcmailbox.core.cluster;

import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.time.Ticker;

/**
 * A node's part in the cluster, taken every half second: it beats, judges the others, and stores a
 * better map if it finds one. Every node does the same, so none leads. Owned by one thread.
 */
public final class ClusterStep {
  /** How long a name must be silent before another process takes it; two beats. */
  static final Duration NAME_SILENT = Duration.ofSeconds(1);

  /** After so long, a life does not count as a restart of the one before. */
  public static final Duration LIVES_COUNT = Duration.ofMinutes(10);

  private final NodeId node;
  private final URI url;
  private final long life;
  private final ClusterStore store;
  private final InstantSource clock;
  private final Ticker ticker;
  private final Members members;

  private @Nullable FirstLook firstLook;
  private Optional<Beat> mine = Optional.empty();
  private long begun;
  private volatile ClusterView view;

  /** The last beat under this name before the node joined, and when it was found. */
  private record FirstLook(Optional<Beat> found, long nanos) {}

  /**
   * A node that has not joined.
   *
   * @param url how the other nodes reach it
   * @param groups how many there are
   * @param life random, so that no two processes share one
   */
  public ClusterStep(
      NodeId node,
      URI url,
      int groups,
      long life,
      ClusterStore store,
      InstantSource clock,
      Ticker ticker) {
    this.node = node;
    this.url = url;
    this.view = ClusterView.nothing(groups);
    this.life = life;
    this.store = store;
    this.clock = clock;
    this.ticker = ticker;
    this.members = new Members(ticker);
  }

  /** Whether this node's beats count. */
  public boolean hasJoined() {
    return mine.isPresent();
  }

  /** The last look at the cluster. Any thread. */
  public ClusterView view() {
    return view;
  }

  /** The groups that this node should have, by the last map that it read. */
  public Set<Integer> wishes() {
    return view.groupsOf(node);
  }

  /**
   * Goes one step further.
   *
   * @param standing how this node stands
   * @throws ReplacedException if another process has this node's name
   * @throws UnavailableException if the database is away; nothing was judged
   */
  public void next(NodeStanding standing) throws ReplacedException {
    Beat last = mine.orElse(null);
    if (last == null) {
      join();
      return;
    }
    Beat beat = last.next(lives(last), standing);
    // Repeated after a lost answer, it has a new number all the same.
    mine = Optional.of(beat);
    ClusterLook look = store.beat(beat);
    List<Member> judged = members.judge(look.beats());
    view = new ClusterView(plan(look, judged), look.holders(), members.sightings());
  }

  private int lives(Beat last) {
    boolean isOld = ticker.nanos() - begun >= LIVES_COUNT.toNanos();
    return isOld ? 1 : last.lives();
  }

  /** The map that counts now; the next look shows a better one of another node. */
  private GroupMap plan(ClusterLook look, List<Member> judged) {
    GroupMap next = Assignment.plan(look.map(), judged, look.moving());
    boolean isBetter = next.version() > look.map().version();
    return isBetter && store.replace(next) ? next : look.map();
  }

  /** Takes the name once it has been silent: an earlier process may still run. */
  private void join() throws ReplacedException {
    Optional<Beat> now = store.find(node);
    if (now.filter(beat -> beat.life() == life).isPresent()) {
      // The answer to an earlier attempt was lost.
      joined(now);
      return;
    }
    if (firstLook == null) {
      firstLook = new FirstLook(now, ticker.nanos());
    } else if (!now.equals(firstLook.found())) {
      throw new ReplacedException(node);
    }
    if (now.isEmpty() || ticker.nanos() - firstLook.nanos() >= NAME_SILENT.toNanos()) {
      joined(store.begin(Beat.first(node, url, life), now, clock.instant()));
    }
  }

  private void joined(Optional<Beat> first) {
    mine = first;
    begun = ticker.nanos();
  }
}
