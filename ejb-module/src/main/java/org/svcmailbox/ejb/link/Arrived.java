package org.svcmailbox.ejb.link;

import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Messages of one shard that the broker has delivered and nobody has fetched yet, in order. Any
 * thread adds; the owner takes.
 */
final class Arrived<T> {
  private record One<T>(T message, int bytes) {}

  private final Queue<One<T>> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger bytes = new AtomicInteger();

  void add(T message, int itsBytes) {
    bytes.addAndGet(itsBytes);
    queue.add(new One<>(message, itsBytes));
  }

  @Nullable T poll() {
    return taken(queue.poll());
  }

  /** Takes the first message that matches; the others keep their places. */
  @Nullable T poll(Predicate<T> matches) {
    Iterator<One<T>> each = queue.iterator();
    while (each.hasNext()) {
      One<T> one = each.next();
      if (matches.test(one.message())) {
        each.remove();
        return taken(one);
      }
    }
    return null;
  }

  private @Nullable T taken(@Nullable One<T> one) {
    if (one == null) {
      return null;
    }
    bytes.addAndGet(-one.bytes());
    return one.message();
  }

  boolean isEmpty() {
    return queue.isEmpty();
  }

  int bytes() {
    return bytes.get();
  }
}
