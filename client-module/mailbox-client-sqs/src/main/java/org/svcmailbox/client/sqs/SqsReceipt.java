package org.svcmailbox.client.sqs;

import java.time.Duration;

/**
 * The proof of one delivery: SQS' own handle, and the time when the receive began. SQS counts the
 * longest lease from then, whatever extends it.
 *
 * @param since a time of {@link System#nanoTime}
 */
record SqsReceipt(long since, String sqsHandle) {
  static SqsReceipt parse(String handle) {
    int end = handle.indexOf('/');
    return new SqsReceipt(
        Long.parseLong(handle.substring(0, end), Character.MAX_RADIX), handle.substring(end + 1));
  }

  String handle() {
    return Long.toString(since, Character.MAX_RADIX) + "/" + sqsHandle;
  }

  /** How long a lease can still last, if it can last for {@code longest} from the receive. */
  Duration left(Duration longest, long now) {
    return longest.minusNanos(now - since);
  }
}
