package org.svcmailbox.core.lookup;

import java.util.Locale;

/** The place of a message at the time of a look. */
public enum Whereabouts {
  /** A consumer holds it. */
  LEASED,
  /** It is a dead letter. */
  DEAD,
  /** It waits for its time. */
  SCHEDULED,
  /** The next RECV could take it. */
  READY,
  /** It was sent, and is in no other place: acknowledged, discarded or removed. */
  GONE,
  /** Not every place was seen. */
  UNKNOWN;

  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
