package org.svcmailbox.client.sqs;

import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.spi.BatchTask;

/**
 * One element of a batch, and its result to come.
 *
 * @param <I> the element
 * @param <A> its answer
 */
final class SqsTask<I, A> extends BatchTask<A> {
  private static final AtomicLong LAST_ID = new AtomicLong();

  /** The name of the element in its batch. */
  final String id = Long.toString(LAST_ID.incrementAndGet(), Character.MAX_RADIX);

  final I item;

  /**
   * @param bytes its share of a request and of the buffer
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
