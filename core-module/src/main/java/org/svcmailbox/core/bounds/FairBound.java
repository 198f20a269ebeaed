package org.svcmailbox.core.bounds;

import java.util.List;
import org.svcmailbox.core.capability.caveat.CapabilityId;
import org.svcmailbox.core.envelope.TopicName;

/** A bound that all callers share, with those that have most of it. */
public interface FairBound {
  /** All of it together. */
  CapacityLimit total();

  /** The topics that have most, greatest first. */
  List<Shares.Part<TopicName>> largestTopics(int limit);

  /** The capabilities that have most, with all that is narrowed from them, greatest first. */
  List<Shares.Part<CapabilityId>> largestCapabilities(int limit);
}
