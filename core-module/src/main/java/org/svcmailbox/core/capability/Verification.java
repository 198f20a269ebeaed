package org.svcmailbox.core.capability;

import java.util.Locale;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;

sealed interface Verification {
  /** A genuine capability, whether or not it permits the call. */
  record Genuine(VerifiedCapability capability) implements Verification {}

  /** Not a capability of this service. Only the log tells why. */
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
