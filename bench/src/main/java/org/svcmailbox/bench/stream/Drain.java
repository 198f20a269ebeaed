package org.svcmailbox.bench.stream;

/** A way to receive and acknowledge all messages of a topic. */
interface Drain {
  /** Does so and returns the seconds until the last acknowledgement. */
  double seconds(String topic, int messages) throws Exception;
}
