package org.svcmailbox.core.bounds;

import java.util.List;
import java.util.stream.Stream;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;

/** A limit that all callers share, with its largest holders. */
public interface FairBound {
  /** The limit as a whole. */
  CapacityLimit total();

  /** The topics that hold the most, largest first. */
  List<Shares.Part<TopicName>> largestTopics(int limit);

  /**
   * The capabilities that hold the most, each with all capabilities narrowed from it, largest
   * first.
   */
  List<Shares.Part<CapabilityId>> largestCapabilities(int limit);

  /** Its fill level, and its largest holders. */
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
