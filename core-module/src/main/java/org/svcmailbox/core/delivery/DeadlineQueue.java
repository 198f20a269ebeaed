package org.svcmailbox.core.delivery;

import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Things ordered by when they are due, on the ticker. Entries are not removed one by one when they
 * stop mattering: the owner recognises a stale one when it comes up, and {@link #compact} keeps
 * their number within twice the live ones.
 */
final class DeadlineQueue<T> {
  private static final int SLACK = 64;

  private record Entry<T>(long deadline, T element) implements Comparable<Entry<T>> {
    @Override
    public int compareTo(Entry<T> other) {
      // The ticker may wrap: only differences of its readings mean anything.
      return Long.signum(deadline - other.deadline);
    }
  }

  private final PriorityQueue<Entry<T>> heap = new PriorityQueue<>();

  void add(long deadline, T element) {
    heap.add(new Entry<>(deadline, element));
  }

  /** Takes one element that is due, null when none is. */
  @Nullable T pollDue(long now) {
    Entry<T> first = heap.peek();
    if (first == null || first.deadline() - now > 0) {
      return null;
    }
    heap.remove();
    return first.element();
  }

  /** The earliest element, due or not. */
  @Nullable T peek() {
    Entry<T> first = heap.peek();
    return first == null ? null : first.element();
  }

  /** Removes the earliest element. */
  void removeFirst() {
    heap.poll();
  }

  /** Nanoseconds until the first deadline, negative when it has passed, {@code idle} if none. */
  long untilFirst(long now, long idle) {
    Entry<T> first = heap.peek();
    return first == null ? idle : Math.min(idle, first.deadline() - now);
  }

  /** Drops stale entries once they can be more than the live ones. */
  void compact(int live, Predicate<T> stale) {
    if (heap.size() > 2 * live + SLACK) {
      heap.removeIf(entry -> stale.test(entry.element()));
    }
  }

  void clear() {
    heap.clear();
  }

  int size() {
    return heap.size();
  }
}
