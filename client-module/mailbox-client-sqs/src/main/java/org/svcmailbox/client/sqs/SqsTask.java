package org.svcmailbox.client.sqs;

import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.spi.BatchTask;

/**
 * One element of a batch, and its future result.
 *
 * @param <I> the element
 * @param <A> its answer
 */
final class SqsTask<I, A> extends BatchTask<A> {
  private static final AtomicLong LAST_ID = new AtomicLong();

  /** Identifies the element in its batch. */
  final String id = Long.toString(LAST_ID.incrementAndGet(), Character.MAX_RADIX);

  final I item;

  /**
   * @param bytes its size in a request and in the buffer
   */
  SqsTask(I item, int bytes) {
    super(bytes, MailboxClock.system().nanoTime());
    this.item = item;
  }

  @Override
  protected long bytes() {
    return payloadBytes();
  }
}
