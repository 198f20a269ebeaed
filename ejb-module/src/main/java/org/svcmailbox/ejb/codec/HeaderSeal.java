package org.svcmailbox.ejb.codec;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32C;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.jspecify.annotations.Nullable;

/**
 * A checksum over every property that defines a message, part of the data format. {@code
 * mailbox_check} is CRC-32C over those of {@link #SEALED} that the message has, in that order. Each
 * property contributes one byte with its index in the list, its length in four bytes, and its
 * value. Values are bytes as they are, texts in UTF-8, or numbers in eight bytes.
 *
 * <p>It protects what {@code hash_chain} does not cover from disk and memory faults. It always
 * detects up to three flipped bits in the header, and any number within 32 bits. It does not detect
 * somebody who writes the broker's files; the ledger does.
 */
final class HeaderSeal {
  static final List<SimpleString> SEALED =
      List.of(
          MessageCodec.ENVELOPE,
          MessageCodec.MSG_ID,
          MessageCodec.SEQ,
          MessageCodec.ATTEMPT,
          MessageCodec.LAST_ERROR,
          MessageCodec.HISTORY,
          MessageCodec.TTL,
          MessageCodec.TRACEPARENT,
          MessageCodec.TRACESTATE);

  private HeaderSeal() {}

  /** Seals a message whose other properties are all set. */
  static void put(CoreMessage to) {
    to.putIntProperty(MessageCodec.CHECK, checksum(to));
  }

  /** Whether a message has a seal and its properties match it. */
  static boolean isWhole(ICoreMessage from) {
    return from.getObjectProperty(MessageCodec.CHECK) instanceof Integer check
        && check == checksum(from);
  }

  private static int checksum(ICoreMessage message) {
    CRC32C sum = new CRC32C();
    ByteBuffer frame = ByteBuffer.allocate(1 + Integer.BYTES);
    for (int i = 0; i < SEALED.size(); i++) {
      byte[] value = bytes(message.getObjectProperty(SEALED.get(i)));
      if (value != null) {
        sum.update(frame.clear().put((byte) i).putInt(value.length).flip());
        sum.update(value);
      }
    }
    return (int) sum.getValue();
  }

  private static byte @Nullable [] bytes(@Nullable Object value) {
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    return value instanceof Number number
        ? ByteBuffer.allocate(Long.BYTES).putLong(number.longValue()).array()
        : value.toString().getBytes(StandardCharsets.UTF_8);
  }
}
