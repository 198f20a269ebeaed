package org.svcmailbox.core.stream;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;

/** Counts of one door's streams. Any thread. */
final class StreamMetrics {
  /** Why messages were given back unread. */
  enum Returned {
    /** The output did not take them in time. */
    OUTPUT,
    /** The stream ended before they were passed. */
    END,
    /** The client that resumes had not received them. */
    RESUME
  }

  private static final double MILLIS = 1_000;

  private final String door;
  private final InstantSource wall;
  private final Histogram delivery;
  private final LongAdder messages = new LongAdder();
  private final Map<StreamEnd, LongAdder> closed = adders(StreamEnd.class);
  private final Map<Pause, LongAdder> blockedMillis = adders(Pause.class);
  private final Map<Returned, LongAdder> returned = adders(Returned.class);

  StreamMetrics(String door, InstantSource wall) {
    this.door = door;
    this.wall = wall;
    this.delivery = new Histogram(Family.DELIVERY_SECONDS, door);
  }

  private static <E extends Enum<E>> Map<E, LongAdder> adders(Class<E> type) {
    Map<E, LongAdder> adders = new EnumMap<>(type);
    for (E value : type.getEnumConstants()) {
      adders.put(value, new LongAdder());
    }
    return adders;
  }

  /** Redeliveries do not count in the time from SEND to delivery. */
  void passed(Envelope envelope) {
    messages.increment();
    if (envelope.attempt() == 1) {
      delivery.record(Duration.between(envelope.ts(), wall.instant()).toNanos());
    }
  }

  void closed(StreamEnd end) {
    count(closed, end, 1);
  }

  void blocked(Pause why, long nanos) {
    count(blockedMillis, why, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  void returned(Returned why, int count) {
    count(returned, why, count);
  }

  private static <E extends Enum<E>> void count(Map<E, LongAdder> adders, E which, long count) {
    LongAdder adder = adders.get(which);
    if (adder != null) {
      adder.add(count);
    }
  }

  Distribution distribution() {
    return delivery;
  }

  List<Metric> metrics() {
    List<Metric> all = new ArrayList<>();
    all.add(Family.STREAM_MESSAGES_TOTAL.of(messages::sum, door));
    closed.forEach(
        (end, count) -> all.add(Family.STREAM_CLOSED_TOTAL.of(count::sum, door, end.text())));
    blockedMillis.forEach(
        (why, millis) ->
            all.add(
                Family.STREAM_BLOCKED_SECONDS_TOTAL.ofDouble(
                    () -> millis.sum() / MILLIS, door, why.text())));
    returned.forEach(
        (why, count) ->
            all.add(
                Family.STREAM_RETURNED_TOTAL.of(
                    count::sum, door, why.name().toLowerCase(Locale.ROOT))));
    return all;
  }
}
