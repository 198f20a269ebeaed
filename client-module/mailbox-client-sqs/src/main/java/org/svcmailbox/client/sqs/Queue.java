package org.svcmailbox.client.sqs;

import org.svcmailbox.client.BackendFeatures;

/**
 * A queue, as found when it is opened.
 *
 * @param name the mailbox's name
 * @param url the URL at SQS
 * @param isFifo whether it is a FIFO queue
 */
record Queue(String name, String url, boolean isFifo, BackendFeatures features) {
  /**
   * SQS accepts at least this much in a request with several messages, whatever the queue allows
   * for one.
   */
  private static final int LEAST_BATCH_BYTES = 256 << 10;

  int batchBytes() {
    return Math.max(features.maxBodyBytes(), LEAST_BATCH_BYTES);
  }
}
