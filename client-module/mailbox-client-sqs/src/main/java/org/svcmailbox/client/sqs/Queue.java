package org.svcmailbox.client.sqs;

import org.svcmailbox.client.BackendFeatures;

/**
 * A queue, as opening finds it.
 *
 * @param name the mailbox's
 * @param url at SQS
 * @param isFifo whether it is a FIFO queue
 */
record Queue(String name, String url, boolean isFifo, BackendFeatures features) {
  /** Of a request of several messages, SQS takes so much whatever the queue allows for one. */
  private static final int LEAST_BATCH_BYTES = 256 << 10;

  int batchBytes() {
    return Math.max(features.maxBodyBytes(), LEAST_BATCH_BYTES);
  }
}
