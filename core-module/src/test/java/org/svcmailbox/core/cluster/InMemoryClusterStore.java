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

/** Members and map in memory, for one thread. */
final class InMemoryClusterStore implements ClusterStore {
  private final Map<NodeId, Beat> beats = new TreeMap<>();
  private final Map<NodeId, Instant> begun = new HashMap<>();
  private final Map<Integer, NodeId> holders = new HashMap<>();
  private final Map<Integer, Long> epochs = new HashMap<>();
  private GroupMap map;
  private boolean away;
  private boolean losesAnswers;
  private @Nullable GroupMap rival;

  InMemoryClusterStore(int groups) {
    map = GroupMap.empty(groups);
  }

  /** Whether calls fail before they change anything. */
  void away(boolean now) {
    away = now;
  }

  /** Lets the next call that changes something fail after its change. */
  void loseNextAnswer() {
    losesAnswers = true;
  }

  /** Lets another node store this map just before the next one is to be stored. */
  void beforeNextReplace(GroupMap others) {
    rival = others;
  }

  /** The last beat of a node, also while the database is away. */
  @Nullable Beat last(NodeId node) {
    return beats.get(node);
  }

  GroupMap map() {
    return map;
  }

  Map<Integer, NodeId> holders() {
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
  public Optional<Beat> find(NodeId node) {
    requireHere();
    return Optional.ofNullable(beats.get(node));
  }

  @Override
  public Optional<Beat> begin(NodeId node, long life, Optional<Beat> replaced, Instant now) {
    requireHere();
    if (!Optional.ofNullable(beats.get(node)).equals(replaced)) {
      return answer(Optional.empty());
    }
    Instant before = begun.put(node, now);
    boolean isRestart =
        before != null
            && now.isBefore(before.plus(ClusterStep.LIVES_COUNT))
            && replaced.isPresent();
    int lives = isRestart ? requireNonNull(beats.get(node)).lives() + 1 : 1;
    Beat first = new Beat(node, life, 1, lives, /* isLeaving= */ false, /* isFit= */ false);
    beats.put(node, first);
    return answer(Optional.of(first));
  }

  @Override
  public ClusterLook beat(Beat beat) throws ReplacedException {
    requireHere();
    Beat last = beats.get(beat.node());
    if (last == null || last.life() != beat.life()) {
      throw new ReplacedException(beat.node());
    }
    beats.put(beat.node(), beat);
    return answer(new ClusterLook(List.copyOf(beats.values()), map, holders));
  }

  @Override
  public boolean replace(GroupMap successor) {
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
  public boolean publish(int group, NodeId holder, long epoch) {
    requireHere();
    boolean isNewer = epoch > epochs.getOrDefault(group, 0L);
    if (isNewer) {
      epochs.put(group, epoch);
      holders.put(group, holder);
    }
    return answer(isNewer);
  }
}
