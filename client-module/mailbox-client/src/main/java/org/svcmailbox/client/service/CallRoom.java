package org.svcmailbox.client.service;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/**
 * Limits the number of concurrent requests, of which at most half can be waiting receives. If more
 * receives wait than have a place, they take turns in order of arrival. Thread-safe.
 */
public final class CallRoom {
  /** How long a receive keeps its place while others wait for one. */
  private static final Duration TURN = Duration.ofMillis(500);

  /** How long receives take turns after the last one that found no place. */
  private static final Duration CROWDED = Duration.ofMinutes(1);

  private final int max;
  private final Consumer<Duration> warn;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Set<Place> polls = new LinkedHashSet<>();

  /** Receives without a place, the first one first. */
  private final Deque<Object> line = new ArrayDeque<>();

  private int calls;
  private boolean isWarned;
  private boolean isCrowded;
  private long lastCrowded;

  /**
   * Starts with all places free.
   *
   * @param max the most concurrent requests
   * @param warn called once with the length of turns, when a receive finds no place
   */
  public CallRoom(int max, Consumer<Duration> warn) {
    this.max = max;
    this.warn = warn;
  }

  /**
   * Waits for room for one request.
   *
   * @param abandoned ends the wait, looked at after each {@link #wake}
   * @return false if there was none until {@code deadline}, or the wait was abandoned
   */
  public boolean acquire(MailboxClock clock, long deadline, BooleanSupplier abandoned)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!abandoned.getAsBoolean() && isFull() && !clock.isPast(deadline)) {
        clock.await(lock, changed, deadline);
      }
      if (abandoned.getAsBoolean() || isFull()) {
        return false;
      }
      calls++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private boolean isFull() {
    return calls + Math.min(polls.size(), max / 2) >= max;
  }

  /** Ends a request. */
  public void release() {
    lock.lock();
    try {
      calls--;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The place of a receive that waits, until it is closed. */
  public final class Place implements AutoCloseable {
    private final long begun;
    private final boolean isTurn;

    private Place(long begun, boolean isTurn) {
      this.begun = begun;
      this.isTurn = isTurn;
    }

    /** Whether the receive leaves it to others after a short while. */
    public boolean isTurn() {
      return isTurn;
    }

    /** How long a receive that wants to wait for {@code wait} may wait here. */
    public Duration bounded(Duration wait) {
      return isTurn && wait.compareTo(TURN) > 0 ? TURN : wait;
    }

    private boolean isLent(long now) {
      return !isTurn && now - lendable() >= 0;
    }

    private long lendable() {
      return begun + TURN.toNanos();
    }

    @Override
    public void close() {
      lock.lock();
      try {
        polls.remove(this);
        changed.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Waits for a place for a receive that waits.
   *
   * @param abandoned as for {@link #acquire}
   * @return null if there was none until {@code deadline}, or the wait was abandoned
   */
  public @Nullable Place acquirePlace(MailboxClock clock, long deadline, BooleanSupplier abandoned)
      throws InterruptedException {
    boolean warns = false;
    Object turn = new Object();
    lock.lockInterruptibly();
    try {
      if (polls.size() >= max / 2) {
        warns = !isWarned;
        isWarned = true;
        isCrowded = true;
        lastCrowded = clock.nanoTime();
      }
      line.add(turn);
      while (!abandoned.getAsBoolean() && !isFirst(turn, clock) && !clock.isPast(deadline)) {
        clock.await(lock, changed, nextLendable(clock.nanoTime(), deadline));
      }
      return abandoned.getAsBoolean() || !isFirst(turn, clock) ? null : occupied(clock.nanoTime());
    } finally {
      line.remove(turn);
      changed.signalAll();
      lock.unlock();
      if (warns) {
        warn.accept(TURN);
      }
    }
  }

  private boolean isFirst(Object turn, MailboxClock clock) {
    return line.peek() == turn && hasPlace(clock.nanoTime());
  }

  private boolean hasPlace(long now) {
    long kept = polls.stream().filter(poll -> !poll.isLent(now)).count();
    return kept < max / 2 && calls + kept < max;
  }

  private Place occupied(long now) {
    isCrowded = isCrowded && now - lastCrowded < CROWDED.toNanos();
    Place place = new Place(now, isCrowded);
    polls.add(place);
    return place;
  }

  /** When the next of the receives that are out lends its place, or a time before. */
  private long nextLendable(long now, long otherwise) {
    return polls.stream()
        .filter(poll -> !poll.isTurn && !poll.isLent(now))
        .map(Place::lendable)
        .reduce(otherwise, (a, b) -> a - b < 0 ? a : b);
  }

  /** Makes every waiting thread look whether its wait is abandoned. */
  public void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
