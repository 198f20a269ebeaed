package org.svcmailbox.core.capability;

import java.util.Locale;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;

sealed interface Verification {
  /** A capability, whether or not it covers the call. */
  record Genuine(VerifiedCapability capability) implements Verification {}

  /** No capability. Only the log tells why. */
  record Refused(Why why) implements Verification {}

  enum Why {
    MALFORMED,
    UNKNOWN_KEY,
    FORGED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
