package org.svcmailbox.core.request;

import java.time.Duration;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;

/** Ranges of fields that several requests share. */
public final class FieldRanges {
  private FieldRanges() {}

  /** {@code delay_ms} of SEND and NACK. */
  public static Duration delay(long millis) {
    return within("delay_ms", millis, Duration.ZERO, SendRequest.MAX_DELAY);
  }

  /** {@code ttl_ms} of SEND, and of dead letters that are sent again. */
  public static Duration ttl(long millis) {
    return within("ttl_ms", millis, SendRequest.MIN_TTL, SendRequest.MAX_TTL);
  }

  /** {@code visibility_ms} of RECV, of streams and of EXTEND. */
  public static Duration visibility(long millis, Visibility bounds) {
    return within("visibility_ms", millis, bounds.min(), bounds.max());
  }

  private static Duration within(String field, long millis, Duration min, Duration max) {
    if (millis < min.toMillis() || millis > max.toMillis()) {
      throw new SchemaException(
          field, "must be between " + min.toMillis() + " and " + max.toMillis());
    }
    return Duration.ofMillis(millis);
  }
}
