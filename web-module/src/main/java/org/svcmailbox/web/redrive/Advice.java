package org.svcmailbox.web.redrive;

import static org.svcmailbox.core.message.DeadLetterReason.EXPIRED;
import static org.svcmailbox.core.message.DeadLetterReason.INTEGRITY;
import static org.svcmailbox.core.message.DeadLetterReason.UNREADABLE;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.redrive.JobAction;

/** The advice of a dry run or a job about letters that may fail, or die again. */
final class Advice {
  private Advice() {}

  /** The advice for a job over letters with these reasons; null if there is none. */
  static @Nullable String of(
      JobAction action, @Nullable Duration ttl, Map<DeadLetterReason, Long> counts) {
    if (action != JobAction.REDRIVE) {
      return null;
    }
    String expire =
        "without ttl_ms, each has its old time to live again, and expires again if nobody receives"
            + " it by then";
    String advice =
        Stream.of(
                ttl == null ? about(EXPIRED, counts, expire) : "",
                about(UNREADABLE, counts, "what cannot be read fails and can only be discarded"),
                about(INTEGRITY, counts, "they differ from what was sent; look before they return"))
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("; "));
    return advice.isEmpty() ? null : advice;
  }

  private static String about(
      DeadLetterReason reason, Map<DeadLetterReason, Long> counts, String sentence) {
    long count = counts.getOrDefault(reason, 0L);
    return count == 0 ? "" : count + " " + reason.text() + ": " + sentence;
  }
}
