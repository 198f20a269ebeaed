package org.svcmailbox.core.bounds;

import org.svcmailbox.core.capability.caveat.LeaseHolder;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/** A lease as {@link InflightLimits} counts it. Owned by the worker that took it. */
public interface Holding {
  /** The holder of the capability with which the lease was taken. */
  LeaseHolder holder();

  MsgId msgId();

  /** The topic of the leased message. */
  TopicName topicName();

  /** Payload bytes of the leased message. */
  int size();

  /** The counters of the leased message's topic. */
  TopicCounters topicCounters();

  /** Whether the lease counts under its holder's ceilings. */
  boolean isHeld();

  /** Records whether the lease counts under its holder's ceilings. */
  void held(boolean counted);
}
