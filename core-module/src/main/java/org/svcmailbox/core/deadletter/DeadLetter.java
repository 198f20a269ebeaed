package org.svcmailbox.core.deadletter;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;

/**
 * A dead letter without its payload, in a numbered queue of its topic. The envelope is null if it
 * cannot be read.
 *
 * @param job the job that redrove it last; null if none did, or if its history has forgotten it
 */
public record DeadLetter(
    LetterPosition position,
    TopicName topic,
    int segment,
    MsgId msgId,
    DeadLetterReason reason,
    int attempt,
    String lastError,
    int redrives,
    @Nullable JobId job,
    int bytes,
    @Nullable Envelope envelope) {

  public Instant deadAt() {
    return position.diedAt();
  }

  public Fingerprint fingerprint() {
    return Fingerprint.of(ErrorPattern.of(lastError));
  }
}
