package org.svcmailbox.core.time;

import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Elements by deadline on the ticker. Cancelled elements stay until their owner recognises them at
 * their deadline; {@link #compact} keeps the size within twice the number of live ones.
 */
public final class DeadlineQueue<T> {
  private static final int SLACK = 64;

  private record Entry<T>(long deadline, T element) implements Comparable<Entry<T>> {
    @Override
    public int compareTo(Entry<T> other) {
      // The ticker may wrap, so only differences of its readings are meaningful.
      return Long.signum(deadline - other.deadline);
    }
  }

  private final PriorityQueue<Entry<T>> heap = new PriorityQueue<>();
  private int compactAbove = SLACK;

  public void add(long deadline, T element) {
    heap.add(new Entry<>(deadline, element));
  }

  /** Removes one due element; null if none is due. */
  public @Nullable T pollDue(long now) {
    Entry<T> first = heap.peek();
    if (first == null || first.deadline() - now > 0) {
      return null;
    }
    heap.remove();
    return first.element();
  }

  /** The earliest element, due or not. */
  public @Nullable T peek() {
    Entry<T> first = heap.peek();
    return first == null ? null : first.element();
  }

  public void removeFirst() {
    heap.poll();
  }

  /**
   * Nanoseconds until the first deadline, negative if it has passed; {@code idle} if the queue is
   * empty.
   */
  public long untilFirst(long now, long idle) {
    Entry<T> first = heap.peek();
    return first == null ? idle : Math.min(idle, first.deadline() - now);
  }

  /** Drops stale elements once they may outnumber the {@code live} ones. */
  public void compact(int live, Predicate<T> stale) {
    if (heap.size() > 2 * live + SLACK) {
      heap.removeIf(entry -> stale.test(entry.element()));
    }
  }

  /**
   * As above, for an owner that does not count live elements. It drops stale elements once the
   * queue has doubled since it last did, so each element is tested a bounded number of times.
   */
  public void compact(Predicate<T> stale) {
    if (heap.size() > compactAbove) {
      heap.removeIf(entry -> stale.test(entry.element()));
      compactAbove = 2 * heap.size() + SLACK;
    }
  }

  public void clear() {
    heap.clear();
  }

  public int size() {
    return heap.size();
  }
}
