package org.svcmailbox.core.deadletter;

import org.svcmailbox.core.message.DeadLetterReason;

/** Dead letters with one fingerprint; {@code sample} is the newest one's error. */
public record LetterGroup(
    Fingerprint fingerprint,
    DeadLetterReason reason,
    long count,
    LetterPosition first,
    LetterPosition last,
    String sample) {
  public ErrorPattern pattern() {
    return ErrorPattern.of(sample);
  }
}
