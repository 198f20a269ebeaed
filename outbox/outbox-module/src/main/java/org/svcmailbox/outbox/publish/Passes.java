package org.svcmailbox.outbox.publish;

import java.time.Duration;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/**
 * How far a publisher has read in each lane. A pass reads a lane from the head to the end; then new
 * rows are read from there. The next pass begins at the head, at most once a second. Its first read
 * can be long where many events wait for an operator, so all passes together spend at most a tenth
 * of the time in it. A pass finds rows that committed late with an earlier time, and events that
 * failed.
 *
 * <p>Within a pass, an aggregate with an event that failed or must wait is blocked, so no later
 * event overtakes it. Another aggregate is blocked with it in about 1 of {@value Lane#SLOTS} cases,
 * which costs it time and nothing else. One thread uses an instance.
 */
public final class Passes {
  /** How long a pass takes at least. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  private static final class Pass {
    private final BitSet blocked = new BitSet(Lane.SLOTS);
    private Position position = Position.HEAD;
    private long begun;
    private boolean atEnd = true;
    private boolean hasBegun;
    private boolean isAtHead;
    private long headNanos;

    boolean isDue(long now) {
      return atEnd && (!hasBegun || now - begun >= Math.max(INTERVAL.toNanos(), 10 * headNanos));
    }
  }

  private final MailboxClock clock;
  private final Pass[] lanes =
      IntStream.range(0, Lane.COUNT).mapToObj(lane -> new Pass()).toArray(Pass[]::new);

  public Passes(MailboxClock clock) {
    this.clock = clock;
  }

  /** The place after which to read these lanes. */
  public Position begin(BitSet claimed) {
    claimed.stream().mapToObj(lane -> lanes[lane]).forEach(this::beginIfDue);
    Optional<Position> first =
        claimed.stream().mapToObj(lane -> lanes[lane].position).min(Position::compareTo);
    return first.orElse(Position.HEAD);
  }

  private void beginIfDue(Pass pass) {
    long now = clock.nanoTime();
    if (pass.isDue(now)) {
      pass.position = Position.HEAD;
      pass.blocked.clear();
      pass.begun = now;
      pass.atEnd = false;
      pass.hasBegun = true;
      pass.isAtHead = true;
    }
  }

  /**
   * Notes what was read.
   *
   * @param claimed the lanes
   * @param last the place of the last event, if there was one
   * @param isEnd whether there were no more events
   */
  public void read(BitSet claimed, @Nullable Position last, boolean isEnd) {
    long now = clock.nanoTime();
    claimed.stream()
        .mapToObj(lane -> lanes[lane])
        .forEach(
            pass -> {
              if (pass.isAtHead) {
                pass.headNanos = now - pass.begun;
                pass.isAtHead = false;
              }
              if (last != null && last.compareTo(pass.position) > 0) {
                pass.position = last;
              }
              pass.atEnd |= isEnd;
            });
  }

  /** Leaves an aggregate alone for the rest of the pass. */
  void block(String aggregate) {
    Lane.Place place = Lane.place(aggregate);
    lanes[place.lane()].blocked.set(place.slot());
  }

  /** Computes no digest where nothing is blocked, which is nearly always so. */
  boolean isBlocked(String aggregate) {
    for (Pass pass : lanes) {
      if (!pass.blocked.isEmpty()) {
        return isBlockedIn(aggregate);
      }
    }
    return false;
  }

  private boolean isBlockedIn(String aggregate) {
    Lane.Place place = Lane.place(aggregate);
    return lanes[place.lane()].blocked.get(place.slot());
  }

  /** Starts all lanes at the head, after a transaction whose outcome is unknown. */
  void restart() {
    for (Pass pass : lanes) {
      pass.atEnd = true;
      pass.hasBegun = false;
    }
  }
}
