package org.svcmailbox.core.bounds;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/** Messages that became dead letters since the process began, by reason. Any thread. */
public final class DeadLetterCounts {
  private final Map<DeadLetterReason, LongAdder> counts =
      Collections.unmodifiableMap(
          Arrays.stream(DeadLetterReason.values())
              .collect(
                  Collectors.toMap(
                      Function.identity(),
                      reason -> new LongAdder(),
                      (one, other) -> one,
                      () -> new EnumMap<>(DeadLetterReason.class))));

  void add(DeadLetterReason reason, long count) {
    counter(reason).add(count);
  }

  /** The counts that are not 0. */
  public Map<DeadLetterReason, Long> all() {
    Map<DeadLetterReason, Long> all = new EnumMap<>(DeadLetterReason.class);
    counts.forEach(
        (reason, counter) -> {
          long count = counter.sum();
          if (count > 0) {
            all.put(reason, count);
          }
        });
    return all;
  }

  /** All reasons together. */
  public long sum() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  long of(DeadLetterReason reason) {
    return counter(reason).sum();
  }

  /** Includes reasons that never occurred, so that their first increase is visible. */
  public List<Metric> metrics(String topic) {
    return Arrays.stream(DeadLetterReason.values())
        .map(reason -> Family.DLQ_TOTAL.of(counter(reason)::sum, topic, reason.text()))
        .toList();
  }

  private LongAdder counter(DeadLetterReason reason) {
    LongAdder counter = counts.get(reason);
    if (counter == null) {
      throw new IllegalStateException("no count of " + reason);
    }
    return counter;
  }
}
