package org.svcmailbox.core.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Count, sum and maximum since the process began. */
public final class Summary implements Distribution {
  private final Family family;
  private final Map<String, String> tags;
  private final LongAdder count = new LongAdder();
  private final LongAdder sum = new LongAdder();
  private final LongAccumulator most = new LongAccumulator(Math::max, 0);

  /**
   * @param labelValues one for each label, in order; from a bounded set
   */
  public Summary(Family family, String... labelValues) {
    this.family = family;
    this.tags = family.tags(labelValues);
  }

  public void record(long amount) {
    long counted = Math.max(0, amount);
    count.increment();
    sum.add(counted);
    most.accumulate(counted);
  }

  @Override
  public Family family() {
    return family;
  }

  @Override
  public Map<String, String> tags() {
    return tags;
  }

  @Override
  public List<Sample> read() {
    return List.of(
        new Sample("", "quantile", "1", (double) most.get()),
        Sample.of("_sum", (double) sum.sum()),
        Sample.of("_count", (double) count.sum()));
  }
}
