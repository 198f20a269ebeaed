package org.svcmailbox.core.deadletter;

import java.util.Map;
import org.svcmailbox.core.message.DeadLetterReason;

/**
 * Dead letters with one fingerprint, counted by reason; {@code sample} is the newest one's error.
 */
public record LetterGroup(
    Fingerprint fingerprint,
    Map<DeadLetterReason, Long> reasons,
    LetterPosition first,
    LetterPosition last,
    String sample) {
  public LetterGroup {
    reasons = Map.copyOf(reasons);
  }

  public long count() {
    return reasons.values().stream().mapToLong(letters -> letters).sum();
  }

  public ErrorPattern pattern() {
    return ErrorPattern.of(sample);
  }
}
