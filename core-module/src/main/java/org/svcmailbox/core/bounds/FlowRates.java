package org.svcmailbox.core.bounds;

import java.time.Duration;
import org.svcmailbox.core.topic.MessageRates;

/** Messages per second of one topic in the last seconds. One thread looks; any thread may read. */
public final class FlowRates {
  /** A look sooner after the last one is left out, because a rate needs some time. */
  static final Duration LEAST = Duration.ofSeconds(5);

  private record Counts(long nanos, long sent, long delivered, long acked) {
    MessageRates since(Counts before) {
      double seconds = (nanos - before.nanos) / (double) Duration.ofSeconds(1).toNanos();
      return new MessageRates(
          (sent - before.sent) / seconds,
          (delivered - before.delivered) / seconds,
          (acked - before.acked) / seconds);
    }
  }

  private final FlowCounts flow;
  private Counts last;
  private volatile MessageRates rates = MessageRates.NONE;

  /**
   * @param nanos now, of a monotonic clock
   */
  FlowRates(FlowCounts flow, long nanos) {
    this.flow = flow;
    this.last = counts(nanos);
  }

  /** Counts from the last look to this one. */
  public void look(long nanos) {
    if (nanos - last.nanos >= LEAST.toNanos()) {
      Counts now = counts(nanos);
      rates = now.since(last);
      last = now;
    }
  }

  private Counts counts(long nanos) {
    return new Counts(nanos, flow.sent(), flow.delivered(), flow.acked());
  }

  /** As of the last look. */
  public MessageRates perSecond() {
    return rates;
  }
}
