package org.svcmailbox.core.deadletter;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Letters waiting for the index. Adding never blocks; on overflow the letter is dropped and the
 * {@link Reconciler} finds it later. Any thread.
 */
final class LetterInbox {
  static final int CAPACITY = 20_000;

  /** Letters per transaction; SENDs wait for it for some milliseconds. */
  private static final int BATCH = 200;

  private final LetterIndex index;
  private final ConcurrentLinkedQueue<DeadLetter> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();
  private final LongAdder dropped = new LongAdder();
  private final List<DeadLetter> batch = new ArrayList<>();

  LetterInbox(LetterIndex index) {
    this.index = index;
  }

  void add(Collection<DeadLetter> letters) {
    for (DeadLetter letter : letters) {
      if (size.incrementAndGet() <= CAPACITY) {
        waiting.add(letter);
      } else {
        size.decrementAndGet();
        dropped.increment();
      }
    }
  }

  /** Indexes the letters that were added before this call; keeps them if the database is away. */
  synchronized void flush() {
    for (int left = size.get(); left > 0; ) {
      while (batch.size() < BATCH) {
        DeadLetter next = waiting.poll();
        if (next == null) {
          break;
        }
        batch.add(next);
      }
      if (batch.isEmpty()) {
        return;
      }
      index.add(batch);
      left -= batch.size();
      size.addAndGet(-batch.size());
      batch.clear();
    }
  }

  int size() {
    return size.get();
  }

  long dropped() {
    return dropped.sum();
  }
}
