package org.svcmailbox.core.message;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a message expires that no client receives. A lost broker session, or a process that
 * ended, returns the messages that consumers held. Nothing tells them from those that nobody had,
 * so every message of that time has a new life, of bounded length.
 *
 * <p>Times are wall-clock times. {@code session} is the beginning of the present session of the
 * message's worker; {@code readySince} is when the message became ready.
 */
public final class ExpiryPolicy {
  /** The longest new life: as long as the longest default lease with extensions. */
  public static final Duration MOST = Duration.ofHours(12);

  /** The last error of a message that a consumer may have had. */
  public static final String MAY_HAVE_BEEN_HELD =
      "not received in time; a consumer may have had it before the service or its connection to"
          + " the broker was away";

  private ExpiryPolicy() {}

  /** When a message that was to expire at {@code expiresAt} does. */
  public static Instant end(Instant readySince, Instant expiresAt, Instant session) {
    if (!mayHaveBeenHeld(readySince, session)) {
      return expiresAt;
    }
    Duration life = Duration.between(readySince, expiresAt);
    Instant again = session.plus(life.compareTo(MOST) < 0 ? life : MOST);
    return again.isAfter(expiresAt) ? again : expiresAt;
  }

  /** The message's last error; if it has none, what its past allows to say. */
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
