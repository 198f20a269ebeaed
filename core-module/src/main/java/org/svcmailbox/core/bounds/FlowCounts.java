package org.svcmailbox.core.bounds;

import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/** Messages that passed through topics since the process began. Any thread. */
public final class FlowCounts {
  private final LongAdder sent = new LongAdder();
  private final LongAdder delivered = new LongAdder();
  private final LongAdder redelivered = new LongAdder();
  private final LongAdder acked = new LongAdder();

  void committed(long newlySent, long newlyAcked) {
    sent.add(newlySent);
    acked.add(newlyAcked);
  }

  void delivered(long count, long again) {
    delivered.add(count);
    redelivered.add(again);
  }

  /** New messages on disk. */
  public long sent() {
    return sent.sum();
  }

  /** Messages passed to clients, {@link #redelivered} included. */
  public long delivered() {
    return delivered.sum();
  }

  /** Messages passed to clients in a later attempt. */
  public long redelivered() {
    return redelivered.sum();
  }

  /** Messages that clients acknowledged, on disk. */
  public long acked() {
    return acked.sum();
  }

  /** The four counts under one name. */
  public List<Metric> metrics(String topic) {
    return List.of(
        Family.MAILBOX_TOPIC_SENT_TOTAL.of(this::sent, topic),
        Family.MAILBOX_TOPIC_DELIVERED_TOTAL.of(this::delivered, topic),
        Family.MAILBOX_TOPIC_REDELIVERED_TOTAL.of(this::redelivered, topic),
        Family.MAILBOX_TOPIC_ACKED_TOTAL.of(this::acked, topic));
  }
}
