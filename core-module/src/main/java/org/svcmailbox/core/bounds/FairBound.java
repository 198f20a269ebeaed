package org.svcmailbox.core.bounds;

import java.util.List;
import java.util.stream.Stream;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/** A bound that all callers share, with those that have most of it. */
public interface FairBound {
  /** All of it together. */
  CapacityLimit total();

  /** The topics that have most, greatest first. */
  List<Shares.Part<TopicName>> largestTopics(int limit);

  /** The capabilities that have most, with all that is narrowed from them, greatest first. */
  List<Shares.Part<CapabilityId>> largestCapabilities(int limit);

  /** How full it is, and what the greatest holders have. */
  default List<Metric> metrics() {
    String bound = total().reason();
    return Stream.concat(
            total().metrics().stream(),
            Stream.of(
                Family.BOUND_LARGEST.of(() -> Shares.sum(largestTopics(1)), bound, "topic"),
                Family.BOUND_LARGEST.of(
                    () -> Shares.sum(largestCapabilities(1)), bound, "capability")))
        .toList();
  }
}
