package org.svcmailbox.ejb.delivery;

import java.io.ByteArrayOutputStream;
import java.time.Instant;
import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.Quarantine;
import org.svcmailbox.core.delivery.StoredMessage;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;

/**
 * The layout of a message in the broker, part of the data format: the body is the payload; {@code
 * mailbox_env} is the {@link EnvelopeCodec} form; the other properties are what changes while the
 * message lives, and what operators filter by. Few properties: each costs on every hop.
 */
final class MessageCodec {
  static final SimpleString ENVELOPE = SimpleString.of("mailbox_env");
  static final SimpleString MSG_ID = SimpleString.of("mailbox_msg_id");
  static final SimpleString SEQ = SimpleString.of("mailbox_seq");
  static final SimpleString ATTEMPT = SimpleString.of("mailbox_attempt");
  static final SimpleString LAST_ERROR = SimpleString.of("mailbox_last_error");
  static final SimpleString REASON = SimpleString.of("mailbox_reason");
  static final SimpleString DEAD_AT = SimpleString.of("mailbox_dead_at");

  /** As W3C names them, so that other tools find them; both are JMS identifiers. */
  static final SimpleString TRACEPARENT = SimpleString.of("traceparent");

  static final SimpleString TRACESTATE = SimpleString.of("tracestate");

  /** What the broker itself adds begins so; a copy begins anew. */
  private static final String BROKERS_OWN = "_AMQ_";

  private static final byte PRIORITY = 4;

  private MessageCodec() {}

  /**
   * A durable message that carries {@code stored}.
   *
   * @param readySince what the broker counts its age from
   */
  static ClientMessage encode(ClientSession session, StoredMessage stored, Instant readySince) {
    ClientMessage to = durable(session, stored.expiresAt(), readySince);
    Envelope envelope = stored.envelope();
    to.putBytesProperty(ENVELOPE, EnvelopeCodec.encode(envelope));
    to.putStringProperty(MSG_ID, SimpleString.of(envelope.msgId().toString()));
    to.putLongProperty(SEQ, envelope.seq());
    to.putIntProperty(ATTEMPT, envelope.attempt());
    String lastError = stored.lastError();
    if (lastError != null) {
      to.putStringProperty(LAST_ERROR, SimpleString.of(lastError));
    }
    TraceContext trace = stored.trace();
    if (trace != null) {
      putTrace(to, trace);
    }
    to.getBodyBuffer().writeBytes(stored.payload().bytes());
    return to;
  }

  private static void putTrace(ClientMessage to, TraceContext trace) {
    to.putStringProperty(TRACEPARENT, SimpleString.of(trace.parent()));
    String state = trace.state();
    if (state != null) {
      to.putStringProperty(TRACESTATE, SimpleString.of(state));
    }
  }

  /** The same message as a dead letter. */
  static ClientMessage encodeDead(
      ClientSession session, StoredMessage stored, Quarantine why, Instant now, Instant expiresAt) {
    StoredMessage dead = stored.failed(why.attempt(), why.lastError(), expiresAt);
    ClientMessage to = encode(session, dead, now);
    putReason(to, why, now);
    return to;
  }

  /** A dead letter of whatever {@code original} is: its body and its properties as they are. */
  static ClientMessage copyDead(
      ClientSession session, Received original, Quarantine why, Instant now, Instant expiresAt) {
    ClientMessage to = copy(session, original, now, expiresAt);
    to.putIntProperty(ATTEMPT, why.attempt());
    to.putStringProperty(LAST_ERROR, SimpleString.of(why.lastError()));
    putReason(to, why, now);
    return to;
  }

  /** The body and the properties of {@code original}, but for what the broker added. */
  static ClientMessage copy(
      ClientSession session, Received original, Instant now, Instant expiresAt) {
    ClientMessage to = durable(session, expiresAt, now);
    for (SimpleString name : original.message().getPropertyNames()) {
      if (!name.toString().startsWith(BROKERS_OWN)) {
        to.putObjectProperty(name, original.message().getObjectProperty(name));
      }
    }
    to.getBodyBuffer().writeBytes(original.body());
    return to;
  }

  private static ClientMessage durable(ClientSession session, Instant expiresAt, Instant since) {
    ClientMessage to =
        session.createMessage(
            Message.DEFAULT_TYPE, true, expiresAt.toEpochMilli(), since.toEpochMilli(), PRIORITY);
    return anycast(to);
  }

  /**
   * Marks a message as being for a queue. Without the mark the broker takes it for one to whoever
   * listens, and drops it without a word when the queue does not exist; with it the transaction
   * fails.
   */
  static ClientMessage anycast(ClientMessage message) {
    message.setRoutingType(RoutingType.ANYCAST);
    return message;
  }

  private static void putReason(ClientMessage to, Quarantine why, Instant now) {
    to.putStringProperty(REASON, SimpleString.of(why.reason().text()));
    to.putLongProperty(DEAD_AT, now.toEpochMilli());
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws UnreadableMessageException on any other message
   */
  static StoredMessage decode(Received received) throws UnreadableMessageException {
    ClientMessage from = received.message();
    if (!(from.getObjectProperty(ENVELOPE) instanceof byte[] envelope)) {
      throw new UnreadableMessageException("the message has no envelope");
    }
    if (!(from.getObjectProperty(ATTEMPT) instanceof Integer attempt) || attempt < 1) {
      throw new UnreadableMessageException("the message has no attempt");
    }
    return new StoredMessage(
        EnvelopeCodec.decode(envelope, attempt),
        Payload.owning(received.body()),
        text(from, LAST_ERROR),
        Instant.ofEpochMilli(from.getExpiration()),
        TraceContext.of(text(from, TRACEPARENT), text(from, TRACESTATE)));
  }

  /** Why the last delivery failed, if the message says so. */
  static @Nullable String lastError(ClientMessage from) {
    return text(from, LAST_ERROR);
  }

  private static @Nullable String text(ClientMessage from, SimpleString name) {
    Object value = from.getObjectProperty(name);
    return value == null ? null : value.toString();
  }

  /** How many deliveries the message had, as far as it says so. */
  static int attempt(ClientMessage from) {
    return from.getObjectProperty(ATTEMPT) instanceof Integer attempt ? attempt : 0;
  }

  /**
   * Reads the whole body; waits for the rest of it when the broker streams it. To be called before
   * anything else is taken from the same consumer.
   */
  static byte[] body(ClientMessage from) throws ActiveMQException {
    if (from.isLargeMessage()) {
      ByteArrayOutputStream to = new ByteArrayOutputStream(Math.max(0, from.getBodySize()));
      from.saveToOutputStream(to);
      return to.toByteArray();
    }
    ActiveMQBuffer buffer = from.getDataBuffer();
    byte[] body = new byte[buffer.readableBytes()];
    buffer.readBytes(body);
    return body;
  }
}
