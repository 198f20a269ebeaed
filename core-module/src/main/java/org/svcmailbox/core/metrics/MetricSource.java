package org.svcmailbox.core.metrics;

import java.util.List;

/** Something that has metrics; the list may be another one each time it is asked. */
@FunctionalInterface
public interface MetricSource {
  /** What there is to tell now. Cheap, from any thread. */
  List<Metric> metrics();

  /** Its distributions, always the same ones. */
  default List<Distribution> distributions() {
    return List.of();
  }
}
