package org.svcmailbox.core.stream;

import java.util.Locale;

/** Why a stream ended. */
public enum StreamEnd {
  /** It is as old as streams may be; clients open another. */
  AGE,
  /** The deadline of its call is near. */
  DEADLINE,
  /** The client needs no more. */
  CLOSED,
  /** The service is stopping. */
  DRAIN,
  /** The capability was revoked, has expired, or has the right no more. */
  CAPABILITY,
  /** The topic was deleted. */
  TOPIC,
  /** The client reads nothing. */
  SLOW,
  /** A problem that a repeat does not mend. */
  ERROR,
  /** The client is gone. Never written. */
  CUT,
  /** Another stream resumed it. Never written. */
  RESUMED;

  /** Whether the client settles no more of what it holds. */
  boolean isByClient() {
    return this == CUT || this == CLOSED || this == SLOW;
  }

  /** The word on the wire and in metrics. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
