package org.svcmailbox.ejb.codec;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** A cursor over stored bytes that never reads past their end. */
final class StoredBytes {
  private final ByteBuffer from;

  StoredBytes(byte[] bytes) {
    from = ByteBuffer.wrap(bytes);
  }

  int u8() throws UnreadableMessageException {
    require(1);
    return from.get() & 0xff;
  }

  int i32() throws UnreadableMessageException {
    require(4);
    return from.getInt();
  }

  long i64() throws UnreadableMessageException {
    require(8);
    return from.getLong();
  }

  int notNegative(int value) throws UnreadableMessageException {
    if (value < 0) {
      throw new UnreadableMessageException("a negative number");
    }
    return value;
  }

  byte[] bytes(int count) throws UnreadableMessageException {
    require(count);
    byte[] bytes = new byte[count];
    from.get(bytes);
    return bytes;
  }

  /** Reads a 2-byte length and that many bytes of well-formed UTF-8. */
  String text() throws UnreadableMessageException {
    require(2);
    byte[] bytes = bytes(from.getShort() & 0xffff);
    String text = new String(bytes, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0) {
      requireWellFormed(bytes);
    }
    return text;
  }

  /** The decoder writes U+FFFD for malformed bytes; only then is this slow check needed. */
  private static void requireWellFormed(byte[] bytes) throws UnreadableMessageException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
    } catch (CharacterCodingException e) {
      throw new UnreadableMessageException("text is not UTF-8", e);
    }
  }

  void end() throws UnreadableMessageException {
    if (from.hasRemaining()) {
      throw new UnreadableMessageException("bytes after the end");
    }
  }

  private void require(int count) throws UnreadableMessageException {
    if (from.remaining() < count) {
      throw new UnreadableMessageException("it ends early");
    }
  }
}
