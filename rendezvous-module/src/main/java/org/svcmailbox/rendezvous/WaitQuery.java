package org.svcmailbox.rendezvous;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.DoorSettings;

/** The queries that requests may have: {@code wait_ms} once for a GET, none for a POST. */
final class WaitQuery {
  private static final Pattern FORM = Pattern.compile("wait_ms=0*([0-9]+)");

  /** Longer numbers are over the maximum, whatever they say. */
  private static final int DIGITS = 9;

  private WaitQuery() {}

  /** How long a GET waits, {@link DoorSettings#MAX_WAIT} at most; empty when it is malformed. */
  static Optional<Duration> wait(@Nullable String query) {
    if (query == null || query.isEmpty()) {
      return Optional.of(Duration.ZERO);
    }
    Matcher form = FORM.matcher(query);
    return form.matches() ? Optional.of(clamped(form.group(1))) : Optional.empty();
  }

  /** Zero for a request without a query; empty otherwise. */
  static Optional<Duration> none(@Nullable String query) {
    return query == null || query.isEmpty() ? Optional.of(Duration.ZERO) : Optional.empty();
  }

  private static Duration clamped(String digits) {
    Duration max = DoorSettings.MAX_WAIT;
    if (digits.length() > DIGITS) {
      return max;
    }
    Duration asked = Duration.ofMillis(Long.parseLong(digits));
    return asked.compareTo(max) > 0 ? max : asked;
  }
}
