package org.svcmailbox.core.deadletter;

import org.svcmailbox.core.delivery.DeadLetterReason;

/**
 * Dead letters with one fingerprint.
 *
 * @param first the oldest of them
 * @param last the newest of them
 * @param sample the last error of the newest
 */
public record LetterGroup(
    Fingerprint fingerprint,
    DeadLetterReason reason,
    long count,
    Place first,
    Place last,
    String sample) {
  /** What their errors have in common. */
  public ErrorPattern pattern() {
    return ErrorPattern.of(sample);
  }
}
