package org.svcmailbox.core.deadletter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Letters on their way into the index. Who has them die waits for nothing and nobody: what there is
 * no room for is left to {@link Reconciler}. Any thread.
 */
final class LetterInbox {
  /** The most letters that wait: a worker's batches of some seconds. */
  static final int ROOM = 20_000;

  /** Letters of one transaction: it keeps SENDs waiting for some milliseconds. */
  private static final int AT_ONCE = 200;

  private final LetterIndex index;
  private final ConcurrentLinkedQueue<DeadLetter> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder leftOut = new LongAdder();
  private final List<DeadLetter> underWay = new ArrayList<>();

  LetterInbox(LetterIndex index) {
    this.index = index;
  }

  /** Takes letters in, as far as there is room. */
  void add(Collection<DeadLetter> letters) {
    for (DeadLetter letter : letters) {
      if (size.incrementAndGet() <= ROOM) {
        waiting.add(letter);
      } else {
        size.decrementAndGet();
        leftOut.increment();
      }
    }
  }

  /**
   * Writes what was in when this was called.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException when the database is away; the letters
   *     wait on
   */
  synchronized void flush() {
    for (int left = size.get(); left > 0; ) {
      while (underWay.size() < AT_ONCE) {
        DeadLetter next = waiting.poll();
        if (next == null) {
          break;
        }
        underWay.add(next);
      }
      if (underWay.isEmpty()) {
        return;
      }
      index.add(underWay);
      left -= underWay.size();
      size.addAndGet(-underWay.size());
      underWay.clear();
    }
  }

  /** How many wait. */
  int size() {
    return size.get();
  }

  /** How many there was no room for. */
  long leftOut() {
    return leftOut.sum();
  }
}
