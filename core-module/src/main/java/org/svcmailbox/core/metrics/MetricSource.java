package org.svcmailbox.core.metrics;

import java.util.List;

/** Supplies metrics; the list may change between calls. */
@FunctionalInterface
public interface MetricSource {
  /** Cheap to call, on any thread. */
  List<Metric> metrics();

  /** Always returns the same ones. */
  default List<Distribution> distributions() {
    return List.of();
  }
}
