package org.svcmailbox.core.cluster;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.svcmailbox.core.time.Ticker;

/**
 * Judges nodes by what successive looks at their beats show. It compares no clocks: a beat is new
 * or not. Owned by one thread.
 */
public final class Members {
  /** A node is dead when so many looks in a row found no new beat. */
  static final int SILENT_LOOKS = 5;

  /** A node is given groups only if a look less than so long ago found a new beat. */
  private static final Duration RECENT = Duration.ofSeconds(1);

  /** A node that stays unfit for so long loses its groups. */
  static final Duration UNFIT = Duration.ofSeconds(3);

  /** A node is given groups once it has been fit for so long; longer if it keeps restarting. */
  static final Duration FIT = Duration.ofSeconds(5);

  private static final Duration LONGEST = Duration.ofSeconds(60);

  /** Looks so far apart prove nothing of the time between them, so judging begins again. */
  static final Duration GAP = Duration.ofSeconds(3);

  private final Ticker ticker;
  private final Map<NodeId, Seen> seen = new HashMap<>();
  private long looked;

  public Members(Ticker ticker) {
    this.ticker = ticker;
    this.looked = ticker.nanos();
  }

  /**
   * A node's last beat, and since when it is as it is.
   *
   * @param heard when a look last found a new beat
   * @param since when it became as fit as it is
   */
  private record Seen(Beat beat, int silentLooks, long heard, long since) {
    static Seen first(Beat beat, long nanos) {
      return new Seen(beat, 0, nanos, nanos);
    }

    Seen next(Beat now, long nanos) {
      if (beat.life() != now.life()) {
        return first(now, nanos);
      }
      boolean isNew = beat.number() != now.number();
      return new Seen(
          now,
          isNew ? 0 : silentLooks + 1,
          isNew ? nanos : heard,
          beat.isFit() == now.isFit() ? since : nanos);
    }

    boolean isAlive() {
      return silentLooks < SILENT_LOOKS;
    }

    Sighting sighting(long nanos) {
      return new Sighting(beat, isAlive(), Duration.ofNanos(nanos - heard));
    }
  }

  /**
   * Takes the beats that one look found.
   *
   * @return the judgement of each node
   */
  public List<Member> judge(Collection<Beat> beats) {
    long nanos = ticker.nanos();
    if (nanos - looked >= GAP.toNanos()) {
      seen.clear();
    }
    looked = nanos;
    seen.keySet().retainAll(beats.stream().map(Beat::node).toList());
    for (Beat beat : beats) {
      seen.merge(beat.node(), Seen.first(beat, nanos), (before, now) -> before.next(beat, nanos));
    }
    return beats.stream()
        .map(beat -> judge(Objects.requireNonNull(seen.get(beat.node())), nanos))
        .toList();
  }

  private static Member judge(Seen seen, long nanos) {
    Beat beat = seen.beat();
    Duration unchanged = Duration.ofNanos(nanos - seen.since());
    boolean stays = seen.isAlive() && !beat.isLeaving();
    boolean isRecent = nanos - seen.heard() < RECENT.toNanos();
    boolean keeps = stays && (beat.isFit() || unchanged.compareTo(UNFIT) < 0);
    boolean takes =
        stays && isRecent && beat.isFit() && unchanged.compareTo(trial(beat.lives())) >= 0;
    return new Member(beat.node(), keeps, takes);
  }

  /** The nodes of the last look, by name. */
  List<Sighting> sightings() {
    long nanos = ticker.nanos();
    return seen.values().stream()
        .map(one -> one.sighting(nanos))
        .sorted(Comparator.comparing(one -> one.beat().node()))
        .toList();
  }

  /** How long a node must be fit before it is given groups. */
  static Duration trial(int lives) {
    Duration trial = FIT.multipliedBy(1L << Math.min(lives - 1, 4));
    return trial.compareTo(LONGEST) < 0 ? trial : LONGEST;
  }
}
