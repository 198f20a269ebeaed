package org.svcmailbox.core.capability;

import java.util.Locale;

/** What looking at a token came to. */
sealed interface Verification {
  /** It is a capability; whether it covers a call is another question. */
  record Genuine(Capability capability) implements Verification {}

  /** It is none. Callers learn that, and not why: only the log does. */
  record Refused(Why why) implements Verification {}

  /** Why a token is no capability. */
  enum Why {
    MALFORMED,
    UNKNOWN_KEY,
    FORGED;

    /** The form that logs and metrics show. */
    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
