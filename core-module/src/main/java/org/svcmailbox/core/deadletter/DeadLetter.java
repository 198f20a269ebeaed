package org.svcmailbox.core.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.DeadLetterReason;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * A dead letter without its payload.
 *
 * @param topic whose dead letter it is
 * @param segment which of the topic's queues it is in
 * @param attempt how many deliveries it had
 * @param lastError why the last one failed
 * @param reprocessed how often it was brought back before
 * @param bytes of its payload
 * @param envelope null when it cannot be read
 */
public record DeadLetter(
    Place place,
    TopicName topic,
    int segment,
    MsgId msgId,
    DeadLetterReason reason,
    int attempt,
    String lastError,
    int reprocessed,
    int bytes,
    @Nullable Envelope envelope) {

  /** When it died. */
  public Instant deadAt() {
    return place.diedAt();
  }

  /** What it has in common with others of its kind. */
  public Fingerprint fingerprint() {
    return Fingerprint.of(reason, ErrorPattern.of(lastError));
  }
}
