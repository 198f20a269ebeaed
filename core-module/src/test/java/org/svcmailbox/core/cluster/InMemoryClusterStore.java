package org.svcmailbox.core.cluster;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;

/** Members and map in memory. */
public final class InMemoryClusterStore implements ClusterStore {
  private final Map<NodeId, Beat> beats = new TreeMap<>();
  private final Map<NodeId, Instant> begun = new HashMap<>();
  private final Map<Integer, NodeId> holders = new HashMap<>();
  private final Map<Integer, Long> epochs = new HashMap<>();
  private GroupMap map;
  private boolean away;
  private boolean losesAnswers;
  private @Nullable GroupMap rival;

  public InMemoryClusterStore(int groups) {
    map = GroupMap.empty(groups);
  }

  /** Whether calls fail before they change anything. */
  public synchronized void away(boolean now) {
    away = now;
  }

  /** Lets the next call that changes something fail after its change. */
  public synchronized void loseNextAnswer() {
    losesAnswers = true;
  }

  /** Lets another node store this map just before the next one is to be stored. */
  public synchronized void beforeNextReplace(GroupMap others) {
    rival = others;
  }

  /** The last beat of a node, also while the database is away. */
  public synchronized @Nullable Beat last(NodeId node) {
    return beats.get(node);
  }

  public synchronized GroupMap map() {
    return map;
  }

  public synchronized Map<Integer, NodeId> holders() {
    return Map.copyOf(holders);
  }

  private void requireHere() {
    if (away) {
      throw new UnavailableException("the database is away");
    }
  }

  private <T> T answer(T value) {
    if (losesAnswers) {
      losesAnswers = false;
      throw new UnavailableException("the answer of the database is lost");
    }
    return value;
  }

  @Override
  public synchronized Optional<Beat> find(NodeId node) {
    requireHere();
    return Optional.ofNullable(beats.get(node));
  }

  @Override
  public synchronized Optional<Beat> begin(Beat first, Optional<Beat> replaced, Instant now) {
    requireHere();
    NodeId node = first.node();
    if (!Optional.ofNullable(beats.get(node)).equals(replaced)) {
      return answer(Optional.empty());
    }
    Instant before = begun.put(node, now);
    boolean isRestart =
        before != null
            && now.isBefore(before.plus(ClusterStep.LIVES_COUNT))
            && replaced.isPresent();
    int lives = isRestart ? requireNonNull(beats.get(node)).lives() + 1 : 1;
    Beat counted = first.withLives(lives);
    beats.put(node, counted);
    return answer(Optional.of(counted));
  }

  @Override
  public synchronized ClusterLook beat(Beat beat) throws ReplacedException {
    requireHere();
    Beat last = beats.get(beat.node());
    if (last == null || last.life() != beat.life()) {
      throw new ReplacedException(beat.node());
    }
    beats.put(beat.node(), beat);
    Map<Integer, Holder> said = new HashMap<>();
    holders.forEach(
        (group, node) -> said.put(group, new Holder(node, requireNonNull(epochs.get(group)))));
    return answer(new ClusterLook(List.copyOf(beats.values()), map, said));
  }

  @Override
  public synchronized boolean replace(GroupMap successor) {
    requireHere();
    if (rival != null) {
      map = rival;
      rival = null;
    }
    boolean isNext = successor.version() == map.version() + 1;
    if (isNext) {
      map = successor;
    }
    return answer(isNext);
  }

  @Override
  public synchronized boolean publish(int group, NodeId holder, long epoch) {
    requireHere();
    boolean isNewer = epoch > epochs.getOrDefault(group, 0L);
    if (isNewer) {
      epochs.put(group, epoch);
      holders.put(group, holder);
    }
    return answer(isNewer);
  }
}
