package org.svcmailbox.rendezvous;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.DoorSettings;

/** Parses the query: GET allows {@code wait_ms} once, POST allows none. */
final class WaitQuery {
  private static final Pattern FORM = Pattern.compile("wait_ms=0*([0-9]+)");

  /** More digits exceed the maximum in any case. */
  private static final int DIGITS = 9;

  private WaitQuery() {}

  /** The wait of a GET, capped at {@link DoorSettings#MAX_WAIT}; empty when malformed. */
  static Optional<Duration> wait(@Nullable String query) {
    if (query == null || query.isEmpty()) {
      return Optional.of(Duration.ZERO);
    }
    Matcher form = FORM.matcher(query);
    return form.matches() ? Optional.of(clamped(form.group(1))) : Optional.empty();
  }

  /** Zero if there is no query; otherwise empty. */
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
