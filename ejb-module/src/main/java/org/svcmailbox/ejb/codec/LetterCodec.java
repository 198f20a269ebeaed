package org.svcmailbox.ejb.codec;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.problem.SchemaException;

/** Reads dead letters; leaves out fields that cannot be read. */
public final class LetterCodec {
  private static final Logger LOG = System.getLogger(LetterCodec.class.getName());

  private LetterCodec() {}

  /**
   * Decodes a letter.
   *
   * @param bytes size of the payload
   */
  public static DeadLetter decode(ICoreMessage from, int bytes, TopicName topic, int segment) {
    LetterPosition position = position(from);
    MessageHistory history = history(from);
    return new DeadLetter(
        position,
        topic,
        segment,
        msgId(from, position),
        reason(from),
        MessageCodec.attempt(from),
        Objects.requireNonNullElse(MessageCodec.lastError(from), ""),
        history.redrives(),
        JobId.ofNote(history.lastRedrive()).orElse(null),
        bytes,
        envelope(from));
  }

  public static LetterContent content(Received received, TopicName topic, int segment) {
    ICoreMessage from = received.message();
    return new LetterContent(
        decode(from, received.body().length, topic, segment),
        Payload.owning(received.body()),
        history(from),
        Instant.ofEpochMilli(from.getExpiration()),
        MessageCodec.ttl(from),
        MessageCodec.trace(from));
  }

  /** Gives a letter of another program a position that stays the same while it is queued. */
  private static LetterPosition position(ICoreMessage from) {
    return from.getObjectProperty(MessageCodec.POSITION) instanceof Long bits && bits >= 0
        ? new LetterPosition(bits)
        : new LetterPosition(
            LetterPosition.before(Instant.ofEpochMilli(from.getTimestamp())).bits()
                | (from.getMessageID() & ((1L << LetterPosition.SHIFT) - 1)));
  }

  private static MsgId msgId(ICoreMessage from, LetterPosition position) {
    try {
      return MsgId.parse(String.valueOf(from.getObjectProperty(MessageCodec.MSG_ID)));
    } catch (SchemaException e) {
      LOG.log(Level.DEBUG, "a dead letter without a msg_id", e);
      return new MsgId(position.bits(), from.getMessageID());
    }
  }

  public static DeadLetterReason reason(ICoreMessage from) {
    String text = String.valueOf(from.getObjectProperty(MessageCodec.REASON));
    return Arrays.stream(DeadLetterReason.values())
        .filter(reason -> reason.text().equals(text))
        .findFirst()
        .orElse(DeadLetterReason.UNREADABLE);
  }

  private static MessageHistory history(ICoreMessage from) {
    try {
      return MessageCodec.history(from);
    } catch (UnreadableMessageException e) {
      LOG.log(Level.DEBUG, "a dead letter whose history cannot be read", e);
      return MessageHistory.NONE;
    }
  }

  private static @Nullable Envelope envelope(ICoreMessage from) {
    try {
      return MessageCodec.envelope(from);
    } catch (UnreadableMessageException e) {
      LOG.log(Level.DEBUG, "a dead letter whose envelope cannot be read", e);
      return null;
    }
  }
}
