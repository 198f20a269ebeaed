package org.svcmailbox.outbox.mailbox;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.KeyConflictException;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventAttributes;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.Headers;
import org.svcmailbox.outbox.publish.PublishException;
import org.svcmailbox.outbox.publish.Published;

/**
 * Sends events to a mailbox. The event's id is the key, so a repeat within the mailbox's key window
 * is the same message; the aggregate is the group, whose order the mailbox keeps.
 */
public final class MailboxPublisher implements EventPublisher {
  private final Mailbox<String, ?> mailbox;

  /**
   * A publisher for one topic.
   *
   * @param mailbox the topic's mailbox, which this class does not close. It should repeat sends for
   *     a short time only, because the outbox repeats them too
   */
  public MailboxPublisher(Mailbox<String, ?> mailbox) {
    this.mailbox = requireNonNull(mailbox, "mailbox");
  }

  @Override
  public CompletionStage<Published> publish(
      EventSubject subject, Payload payload, Headers headers) {
    try {
      return mailbox
          .sendAsync(message(subject, payload, headers))
          .handle(
              (sent, failure) -> {
                if (failure != null) {
                  throw failed(failure);
                }
                return new Published(sent.id(), sent.duplicate());
              });
    } catch (MailboxException | IllegalArgumentException e) {
      return CompletableFuture.failedStage(failed(e));
    }
  }

  private static Outgoing<String, Object> message(
      EventSubject subject, Payload payload, Headers headers) {
    Outgoing.Builder<String, Object> message =
        Outgoing.builder(payload.json())
            .key(headers.messageId().toString())
            .group(headers.aggregate())
            .attribute(EventAttributes.MESSAGE_ID, headers.messageId().toString())
            .attribute(EventAttributes.SUBJECT, subject.value())
            .attribute(EventAttributes.EVENT_TYPE, subject.eventType())
            .attribute(EventAttributes.EVENT_VERSION, Integer.toString(subject.version()))
            .attribute(EventAttributes.OCCURRED_AT, headers.occurredAt().toString());
    @Nullable UUID correlation = headers.correlation().correlationId();
    if (correlation != null) {
      message
          .correlationId(correlation.toString())
          .attribute(EventAttributes.CORRELATION_ID, correlation.toString());
    }
    @Nullable UUID causation = headers.correlation().causationId();
    if (causation != null) {
      message.attribute(EventAttributes.CAUSATION_ID, causation.toString());
    }
    @Nullable TraceContext trace = headers.trace();
    if (trace != null) {
      message.traceparent(trace.traceparent());
      Optional.ofNullable(trace.tracestate()).ifPresent(message::tracestate);
    }
    return message.build();
  }

  private static PublishException failed(Throwable failure) {
    Throwable cause = PublishException.unwrapped(failure);
    String what = String.valueOf(cause.getMessage());
    if (cause instanceof SerializationException) {
      return PublishException.refused(ErrorCode.PAYLOAD_TOO_LARGE, what, cause);
    }
    if (cause instanceof KeyConflictException || cause instanceof IllegalArgumentException) {
      return PublishException.refused(ErrorCode.REFUSED, what, cause);
    }
    if (cause instanceof MailboxFullException full) {
      return PublishException.unavailable(what, full.retryAfter().orElse(null), cause);
    }
    return PublishException.unavailable(what, null, cause);
  }
}
