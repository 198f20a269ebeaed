package org.svcmailbox.core.message;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a message that no client receives expires. After a lost broker session, or the end
 * of a process, the messages that consumers held return to their queues. They cannot be told from
 * messages that nobody held, so every message from before that gets a new life of bounded length.
 *
 * <p>Times are wall-clock times. {@code session} is the start of the current session of the
 * message's worker, and {@code readySince} is when the message became ready.
 */
public final class ExpiryPolicy {
  /** The longest new life: as long as the longest default lease with extensions. */
  public static final Duration MOST = Duration.ofHours(12);

  /** The last error of a message that a consumer may have had. */
  public static final String MAY_HAVE_BEEN_HELD =
      "not received in time; a consumer may have had it before the service or its connection to"
          + " the broker was away";

  private ExpiryPolicy() {}

  /** When a message really expires that was to expire at {@code expiresAt}. */
  public static Instant end(Instant readySince, Instant expiresAt, Instant session) {
    if (!mayHaveBeenHeld(readySince, session)) {
      return expiresAt;
    }
    Duration life = Duration.between(readySince, expiresAt);
    Instant again = session.plus(life.compareTo(MOST) < 0 ? life : MOST);
    return again.isAfter(expiresAt) ? again : expiresAt;
  }

  /** The message's last error; without one, what its past allows to conclude. */
  public static @Nullable String note(
      Instant readySince, Instant session, @Nullable String lastError) {
    return lastError == null && mayHaveBeenHeld(readySince, session)
        ? MAY_HAVE_BEEN_HELD
        : lastError;
  }

  private static boolean mayHaveBeenHeld(Instant readySince, Instant session) {
    return readySince.isBefore(session);
  }
}
