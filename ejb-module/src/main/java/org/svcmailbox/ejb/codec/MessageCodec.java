package org.svcmailbox.ejb.codec;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TraceContext;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;

/**
 * The layout of a message in the broker, part of the data format. The body is the payload, and
 * {@code mailbox_env} is the {@link EnvelopeCodec} form. The other properties change while the
 * message lives, or are filters for operators. There are few of them, because each costs time on
 * every hop.
 */
public final class MessageCodec {
  public static final SimpleString ENVELOPE = SimpleString.of("mailbox_env");
  public static final SimpleString MSG_ID = SimpleString.of("mailbox_msg_id");
  public static final SimpleString SEQ = SimpleString.of("mailbox_seq");
  public static final SimpleString ATTEMPT = SimpleString.of("mailbox_attempt");
  public static final SimpleString LAST_ERROR = SimpleString.of("mailbox_last_error");
  public static final SimpleString HISTORY = SimpleString.of("mailbox_history");
  public static final SimpleString REASON = SimpleString.of("mailbox_reason");
  public static final SimpleString DEAD_AT = SimpleString.of("mailbox_dead_at");
  public static final SimpleString TTL = SimpleString.of("mailbox_ttl");
  public static final SimpleString CHECK = SimpleString.of("mailbox_check");
  public static final SimpleString POSITION = SimpleString.of("mailbox_place");

  /** Named by W3C Trace Context, so that other tools find them; both are JMS identifiers. */
  public static final SimpleString TRACEPARENT = SimpleString.of("traceparent");

  public static final SimpleString TRACESTATE = SimpleString.of("tracestate");

  /** A message with any of these was written by this service, even if the others were altered. */
  private static final List<SimpleString> MARKS = List.of(ENVELOPE, MSG_ID, CHECK);

  /** The prefix of the broker's own properties, which a copy leaves out. */
  private static final String BROKERS_OWN = "_AMQ_";

  private static final byte PRIORITY = 4;

  private MessageCodec() {}

  /**
   * A durable message with the content of {@code stored}.
   *
   * @param readySince the time from which the broker counts its age
   */
  public static CoreMessage encode(StoredMessage stored, Instant readySince) {
    CoreMessage to = durable(stored.expiresAt(), readySince, stored.payload().bytes());
    Envelope envelope = stored.envelope();
    to.putBytesProperty(ENVELOPE, EnvelopeCodec.encode(envelope));
    to.putStringProperty(MSG_ID, SimpleString.of(envelope.msgId().toString()));
    to.putLongProperty(SEQ, envelope.seq());
    to.putIntProperty(ATTEMPT, envelope.attempt());
    String lastError = stored.lastError();
    if (lastError != null) {
      to.putStringProperty(LAST_ERROR, SimpleString.of(lastError));
    }
    Duration ttl = stored.ttl();
    if (ttl != null) {
      to.putLongProperty(TTL, ttl.toMillis());
    }
    if (!stored.history().isEmpty()) {
      to.putBytesProperty(HISTORY, HistoryCodec.encode(stored.history()));
    }
    TraceContext trace = stored.trace();
    if (trace != null) {
      putTrace(to, trace);
    }
    HeaderSeal.put(to);
    return to;
  }

  private static void putTrace(CoreMessage to, TraceContext trace) {
    to.putStringProperty(TRACEPARENT, SimpleString.of(trace.parent()));
    String state = trace.state();
    if (state != null) {
      to.putStringProperty(TRACESTATE, SimpleString.of(state));
    }
  }

  /** The same as a dead letter. */
  public static CoreMessage encodeDead(
      StoredMessage stored, Quarantine why, Instant now, Instant expiresAt) {
    CoreMessage to = encode(stored.dead(why, expiresAt), now);
    putReason(to, why, now);
    return to;
  }

  /**
   * Copies {@code original}, whatever it is, into a dead letter with the same body and properties.
   * Only a whole message is sealed again; anything else is never read as a message.
   */
  public static CoreMessage copyDead(
      Received original, Quarantine why, Instant now, Instant expiresAt) {
    CoreMessage to = copy(original, now, expiresAt);
    to.putIntProperty(ATTEMPT, why.attempt());
    to.putStringProperty(LAST_ERROR, SimpleString.of(why.lastError()));
    putReason(to, why, now);
    if (HeaderSeal.isWhole(original.message())) {
      HeaderSeal.put(to);
    }
    if (!to.containsProperty(MSG_ID)) {
      // Gives it an id, so that it can be asked for like any other letter.
      to.putStringProperty(MSG_ID, SimpleString.of(MsgId.create(0, now).toString()));
    }
    return to;
  }

  /**
   * Copies a whole message that expired and gets a new life.
   *
   * @param lastError its last error, null for none
   */
  public static CoreMessage copyReturned(
      Received original, @Nullable String lastError, Instant now, Instant expiresAt) {
    CoreMessage to = copy(original, now, expiresAt);
    if (lastError != null) {
      to.putStringProperty(LAST_ERROR, SimpleString.of(lastError));
    }
    HeaderSeal.put(to);
    return to;
  }

  /** Copies the body and properties of {@code original}, without the broker's own. */
  public static CoreMessage copy(Received original, Instant now, Instant expiresAt) {
    CoreMessage to = durable(expiresAt, now, original.body());
    for (SimpleString name : original.message().getPropertyNames()) {
      if (!name.toString().startsWith(BROKERS_OWN)) {
        to.putObjectProperty(name, original.message().getObjectProperty(name));
      }
    }
    return to;
  }

  private static CoreMessage durable(Instant expiresAt, Instant since, byte[] body) {
    CoreMessage to = durable(since, body);
    to.setExpiration(expiresAt.toEpochMilli());
    return to;
  }

  /**
   * A durable message with only a body, marked for anycast. Without the mark the broker treats it
   * as multicast and silently drops it when the queue does not exist; with it the transaction
   * fails.
   */
  public static CoreMessage durable(Instant since, byte... body) {
    CoreMessage to = new CoreMessage().initBuffer(CoreMessage.BODY_OFFSET + body.length);
    to.setType(Message.DEFAULT_TYPE).setDurable(true);
    to.setTimestamp(since.toEpochMilli()).setPriority(PRIORITY);
    to.setRoutingType(RoutingType.ANYCAST);
    to.getBodyBuffer().writeBytes(body);
    return to;
  }

  private static void putReason(CoreMessage to, Quarantine why, Instant now) {
    to.putStringProperty(REASON, SimpleString.of(why.reason().text()));
    to.putLongProperty(DEAD_AT, now.toEpochMilli());
  }

  /**
   * Decodes a message of {@link #encode}.
   *
   * @throws UnreadableMessageException on any other message
   */
  public static StoredMessage decode(Received received) throws UnreadableMessageException {
    ICoreMessage from = received.message();
    return new StoredMessage(
        envelope(from),
        Payload.owning(received.body()),
        text(from, LAST_ERROR),
        Instant.ofEpochMilli(from.getExpiration()),
        ttl(from),
        history(from),
        trace(from));
  }

  /**
   * The envelope of a message.
   *
   * @throws UnreadableMessageException when it has none, or an altered one
   */
  public static Envelope envelope(ICoreMessage from) throws UnreadableMessageException {
    if (isAltered(from)) {
      throw UnreadableMessageException.altered();
    }
    if (!(from.getObjectProperty(ENVELOPE) instanceof byte[] envelope)) {
      throw new UnreadableMessageException("the message has no envelope");
    }
    return EnvelopeCodec.decode(envelope, attempt(from));
  }

  /** Whether this service wrote the message and its properties no longer match the seal. */
  static boolean isAltered(ICoreMessage from) {
    return !HeaderSeal.isWhole(from)
        && !isUnsealed(from)
        && MARKS.stream().anyMatch(from::containsProperty);
  }

  private static boolean isUnsealed(ICoreMessage from) {
    return from.getObjectProperty(ENVELOPE) instanceof byte[] envelope
        && EnvelopeCodec.isUnsealed(envelope)
        && !from.containsProperty(CHECK);
  }

  /**
   * The history of a message.
   *
   * @throws UnreadableMessageException when the message has one that this service did not write
   */
  public static MessageHistory history(ICoreMessage from) throws UnreadableMessageException {
    return from.getObjectProperty(HISTORY) instanceof byte[] history
        ? HistoryCodec.decode(history)
        : MessageHistory.NONE;
  }

  /** The trace context that the sender gave, null for none. */
  static @Nullable TraceContext trace(ICoreMessage from) {
    return TraceContext.of(text(from, TRACEPARENT), text(from, TRACESTATE));
  }

  /** How long the message may be ready before it expires, null if the sender did not say. */
  public static @Nullable Duration ttl(ICoreMessage from) {
    return from.getObjectProperty(TTL) instanceof Long millis ? Duration.ofMillis(millis) : null;
  }

  /** The error of the last failed delivery, null for none. */
  public static @Nullable String lastError(ICoreMessage from) {
    return text(from, LAST_ERROR);
  }

  /** A property as text, null for none. */
  public static @Nullable String text(ICoreMessage from, SimpleString name) {
    Object value = from.getObjectProperty(name);
    return value == null ? null : value.toString();
  }

  /** How many deliveries a ready message has had; 0 if it does not tell. */
  public static int deliveries(ICoreMessage from) {
    return Math.max(0, attempt(from) - 1);
  }

  /**
   * The number of the delivery that comes next; of a dead letter, how many deliveries it had. 0 if
   * the message does not tell.
   */
  static int attempt(ICoreMessage from) {
    return from.getObjectProperty(ATTEMPT) instanceof Integer attempt ? attempt : 0;
  }
}
