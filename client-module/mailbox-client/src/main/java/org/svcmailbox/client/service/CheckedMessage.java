package org.svcmailbox.client.service;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.spi.DriverDelivery;
import org.svcmailbox.client.spi.EncodedBody;
import org.svcmailbox.client.spi.EncodedMessage;
import org.svcmailbox.client.verify.ReceivedEnvelope;

/**
 * A leased message from the service. Its digests are checked when its body is read.
 *
 * @param msgId its id
 * @param receipt of this delivery
 * @param attempt the number of the delivery, from 1
 * @param envelope the fields that its digest covers
 * @param corrId relates it to other messages
 * @param traceparent its trace
 * @param tracestate accompanies {@code traceparent}
 * @param lastError why the last delivery failed
 */
public record CheckedMessage(
    String msgId,
    String receipt,
    int attempt,
    ReceivedEnvelope envelope,
    @Nullable String corrId,
    @Nullable String traceparent,
    @Nullable String tracestate,
    @Nullable String lastError) {
  /** The attribute that carries the name of the mailbox for replies. */
  public static final String REPLY_TO = "mailbox.reply_to";

  /**
   * The delivery, whose body throws if it is not the one that was sent to {@code mailbox}.
   *
   * @param payload the bytes, which are not copied
   * @throws java.time.DateTimeException if the timestamp is none
   */
  public DriverDelivery delivery(String mailbox, byte[] payload) {
    Map<String, String> attributes = new HashMap<>(envelope.attributes());
    String replyTo = attributes.remove(REPLY_TO);
    return new DriverDelivery(
        msgId,
        receipt,
        attempt,
        Instant.parse(envelope.ts()),
        new EncodedMessage(
            EncodedBody.checked(payload, bytes -> failure(mailbox, bytes)),
            replyTo,
            envelope.idemKey(),
            null,
            Duration.ZERO,
            Map.copyOf(attributes),
            corrId,
            traceparent,
            tracestate),
        lastError);
  }

  private Optional<IntegrityException> failure(String mailbox, byte[] bytes) {
    Optional<String> mismatch =
        envelope.topic().equals(mailbox) ? envelope.mismatch(bytes) : Optional.of("topic");
    return mismatch.map(
        what ->
            new IntegrityException(
                "message "
                    + msgId
                    + " is not the one that was sent: its "
                    + what
                    + " does not match"));
  }
}
