package org.svcmailbox.client.redis;

import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.spi.BatchTask;

/** An encoded send that waits for its turn. */
final class SendTask extends BatchTask<Sent> {
  private final byte[][] arguments;
  private final long bytes;

  /**
   * A task that is not yet in a batch.
   *
   * @param arguments of the send script
   * @param payloadBytes the size of the body
   */
  SendTask(byte[][] arguments, int payloadBytes) {
    super(payloadBytes, MailboxClock.system().nanoTime());
    this.arguments = arguments;
    long size = 0;
    for (byte[] argument : arguments) {
      size += argument.length;
    }
    this.bytes = size;
  }

  byte[][] arguments() {
    return arguments;
  }

  /** Gives it the result. */
  void end(SendResult result) {
    if (result instanceof SendResult.Accepted accepted) {
      succeed(accepted.sent());
    } else if (result instanceof SendResult.Failed failed) {
      fail(failed.cause());
    }
  }

  @Override
  protected long bytes() {
    return bytes;
  }
}
