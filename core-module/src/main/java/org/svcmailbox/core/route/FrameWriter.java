package org.svcmailbox.core.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes the parts of a frame. Integers are big-endian. Bytes and texts begin with their length in
 * four bytes, a list with its length in two, and a value that may be missing with a flag.
 */
final class FrameWriter {
  private static final int FIRST = 256;

  private ByteBuffer out = ByteBuffer.allocate(FIRST);

  private ByteBuffer room(int bytes) {
    if (out.remaining() < bytes) {
      int size = Math.max(2 * out.capacity(), Math.addExact(out.position(), bytes));
      out = ByteBuffer.allocate(size).put(out.flip());
    }
    return out;
  }

  FrameWriter tag(int value) {
    room(1).put((byte) value);
    return this;
  }

  FrameWriter flag(boolean value) {
    return tag(value ? 1 : 0);
  }

  FrameWriter number(int value) {
    room(Integer.BYTES).putInt(value);
    return this;
  }

  FrameWriter number(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  FrameWriter raw(byte[] bytes) {
    room(bytes.length).put(bytes);
    return this;
  }

  FrameWriter bytes(byte[] bytes) {
    return number(bytes.length).raw(bytes);
  }

  FrameWriter text(String text) {
    return bytes(text.getBytes(UTF_8));
  }

  FrameWriter time(Duration time) {
    return number(time.getSeconds()).number(time.getNano());
  }

  FrameWriter moment(Instant moment) {
    return number(moment.getEpochSecond()).number(moment.getNano());
  }

  <T> FrameWriter optional(@Nullable T value, BiConsumer<FrameWriter, T> write) {
    flag(value != null);
    if (value != null) {
      write.accept(this, value);
    }
    return this;
  }

  <T> FrameWriter list(Collection<T> all, BiConsumer<FrameWriter, T> write) {
    room(Short.BYTES).putShort((short) all.size());
    all.forEach(one -> write.accept(this, one));
    return this;
  }

  byte[] end() {
    byte[] bytes = new byte[out.position()];
    out.flip().get(bytes);
    return bytes;
  }
}
