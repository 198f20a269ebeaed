package org.svcmailbox.core.stream;

import java.util.Locale;

/** Why a stream ended. */
public enum StreamEnd {
  /** It has reached the maximum age of streams; clients open another one. */
  AGE,
  /** The deadline of its call is near. */
  DEADLINE,
  /** The client needs no more. */
  CLOSED,
  /** The service is stopping. */
  DRAIN,
  /** The capability was revoked, has expired, or no longer has the right. */
  CAPABILITY,
  /** The topic was deleted. */
  TOPIC,
  /** The client reads nothing. */
  SLOW,
  /** A problem that a retry does not solve. */
  ERROR,
  /** The client is gone. Never written. */
  CUT,
  /** Another stream resumed it. Never written. */
  RESUMED;

  /** Whether the client settles no more of the messages that it holds. */
  boolean isByClient() {
    return this == CUT || this == CLOSED || this == SLOW;
  }

  /** The word in the protocol and in metrics. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
