package org.svcmailbox.client.sqs;

import org.svcmailbox.client.Capabilities;

/**
 * A queue, as opening finds it.
 *
 * @param name the mailbox's
 * @param url at SQS
 * @param isFifo whether it is a FIFO queue
 */
record Queue(String name, String url, boolean isFifo, Capabilities capabilities) {
  /** Of a request of several messages, SQS takes so much whatever the queue allows for one. */
  private static final int LEAST_BATCH_BYTES = 256 << 10;

  int batchBytes() {
    return Math.max(capabilities.maxBodyBytes(), LEAST_BATCH_BYTES);
  }
}
