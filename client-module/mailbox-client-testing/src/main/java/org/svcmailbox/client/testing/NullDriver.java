package org.svcmailbox.client.testing;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.ReceiptHandleExpiredException;
import org.svcmailbox.client.ReceiptHandleExpiredException.Why;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.spi.MailboxDriver;

/** Drops everything. A receive waits as long as it should, so that a loop over it does not spin. */
final class NullDriver implements MailboxDriver {
  private final MailboxClock clock;
  private final AtomicLong ids = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private boolean closed;

  NullDriver(MailboxClock clock) {
    this.clock = clock;
  }

  @Override
  public BackendFeatures features() {
    return BackendFeatures.IN_MEMORY;
  }

  @Override
  public Sent send(EncodedMessage message) {
    return new Sent("dropped-" + ids.incrementAndGet(), false);
  }

  @Override
  public List<DriverDelivery> receive(int maxMessages, Duration visibility, Duration wait)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long end = clock.deadline(wait);
      while (!closed && !clock.isPast(end)) {
        clock.await(lock, ended, end);
      }
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void acknowledge(DriverDelivery delivery) {
    throw neverDelivered(delivery);
  }

  @Override
  public void nack(DriverDelivery delivery, Duration visibility, String reason) {
    throw neverDelivered(delivery);
  }

  @Override
  public void extend(DriverDelivery delivery, Duration timeout) {
    throw neverDelivered(delivery);
  }

  private static ReceiptHandleExpiredException neverDelivered(DriverDelivery delivery) {
    return new ReceiptHandleExpiredException(delivery.id(), Why.GONE);
  }

  @Override
  public OptionalLong purge() {
    return OptionalLong.of(0);
  }

  @Override
  public long approximateCount() {
    return 0;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
