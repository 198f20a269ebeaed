package org.svcmailbox.client.service;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;

/**
 * The stream of a mailbox, and the lock that its three rooms share: receives, arrivals and the
 * course of its streams. The fields change under the lock.
 *
 * @param <M> the messages
 */
final class StreamDesk<M> {
  final StreamFeed.Settings<M> settings;
  final MailboxClock clock;
  final ReentrantLock lock = new ReentrantLock();

  /** For receives. */
  final Condition arrived = lock.newCondition();

  /** For the pump. */
  final Condition changed = lock.newCondition();

  final StreamState<M> state;
  @Nullable StreamLink<M> link;
  boolean isClosed;

  /** When the pump wakes without being woken. */
  long pumpDue;

  /** When somebody received last, or room was made. */
  private long lastBusy;

  StreamDesk(StreamFeed.Settings<M> settings) {
    this.settings = settings;
    this.clock = settings.clock();
    this.state = new StreamState<>(settings.messages(), settings.largest(), settings.isByCredit());
    this.lastBusy = clock.nanoTime();
  }

  long lastBusy() {
    return lastBusy;
  }

  /** Somebody received, or room was made. */
  void busy() {
    lastBusy = clock.nanoTime();
    wakePumpBy(lastBusy + state.patience().toNanos());
  }

  void begin(StreamLink<M> begun, long now) {
    lastBusy = now;
    link = begun;
  }

  void wakePumpBy(long moment) {
    if (pumpDue - moment > 0) {
      changed.signal();
    }
  }

  static long earlier(long one, long other) {
    return one - other < 0 ? one : other;
  }
}
