package org.svcmailbox.ejb.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.Fingerprint;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.ejb.codec.EnvelopeCodec;
import org.svcmailbox.ejb.codec.UnreadableMessageException;
import org.svcmailbox.ejb.store.InsertRows;

final class LetterRow {
  private static final String[] COLUMNS = {
    "place",
    "topic",
    "segment",
    "msg_id",
    "reason",
    "fingerprint",
    "attempt",
    "reprocessed",
    "payload_bytes",
    "last_error",
    "envelope",
    "job"
  };

  static final InsertRows INSERT = new InsertRows("dead_letter", COLUMNS);

  /** The columns that {@link #letter} reads. */
  static final String SELECTED = "d." + String.join(", d.", COLUMNS);

  /** The condition of {@code dead_letter_outdated}, the index of rows that earlier rules made. */
  static final String OUTDATED =
      "(d.fingerprint < " + Fingerprint.LOWEST + " or d.fingerprint > " + Fingerprint.HIGHEST + ")";

  private LetterRow() {}

  /** A row for {@link #INSERT}. */
  static Object[] of(DeadLetter letter) {
    Envelope envelope = letter.envelope();
    return new @Nullable Object[] {
      letter.position().bits(),
      letter.topic().value(),
      letter.segment(),
      letter.msgId().bytes(),
      letter.reason().text(),
      letter.fingerprint().bits(),
      letter.attempt(),
      letter.redrives(),
      letter.bytes(),
      letter.lastError().getBytes(UTF_8),
      envelope == null ? null : EnvelopeCodec.encode(envelope),
      letter.job() == null ? null : letter.job().value()
    };
  }

  /** The letter in a row of {@link #SELECTED}. */
  static DeadLetter letter(@Nullable Object[] row) {
    int attempt = integer(row[6]);
    return new DeadLetter(
        position(row[0]),
        new TopicName(text(row[1])),
        integer(row[2]),
        MsgId.ofBytes((byte[]) value(row[3])),
        reason(row[4]),
        attempt,
        error(row[9]),
        integer(row[7]),
        row[11] == null ? null : new JobId(text(row[11])),
        integer(row[8]),
        row[10] == null ? null : envelope((byte[]) row[10], attempt));
  }

  static LetterPosition position(@Nullable Object value) {
    return new LetterPosition(number(value));
  }

  static DeadLetterReason reason(@Nullable Object value) {
    return DeadLetterReason.valueOf(text(value).toUpperCase(Locale.ROOT));
  }

  static long number(@Nullable Object value) {
    return ((Number) value(value)).longValue();
  }

  static int integer(@Nullable Object value) {
    return Math.toIntExact(number(value));
  }

  static String text(@Nullable Object value) {
    return (String) value(value);
  }

  static String error(@Nullable Object value) {
    return new String((byte[]) value(value), UTF_8);
  }

  private static Object value(@Nullable Object value) {
    if (value == null) {
      throw new IllegalStateException("A column of dead_letter is null");
    }
    return value;
  }

  private static Envelope envelope(byte[] bytes, int attempt) {
    try {
      return EnvelopeCodec.decode(bytes, attempt);
    } catch (UnreadableMessageException e) {
      throw new IllegalStateException("An envelope in dead_letter cannot be read", e);
    }
  }
}
