package org.svcmailbox.core.rendezvous.mailbox;

import java.util.concurrent.atomic.AtomicInteger;

/** A counting semaphore that never blocks. Any thread. */
final class Places {
  private final int capacity;
  private final AtomicInteger taken = new AtomicInteger();

  Places(int capacity) {
    this.capacity = capacity;
  }

  boolean tryTake() {
    if (taken.incrementAndGet() > capacity) {
      taken.decrementAndGet();
      return false;
    }
    return true;
  }

  void free() {
    taken.decrementAndGet();
  }

  int taken() {
    return taken.get();
  }

  int capacity() {
    return capacity;
  }
}
