package org.svcmailbox.core.route;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads what {@link FrameWriter} wrote. It allocates no more than the bytes that are left, and no
 * list beyond its bound. Methods throw {@link IllegalArgumentException} or {@link
 * java.nio.BufferUnderflowException} for anything else.
 */
final class FrameReader {
  private final ByteBuffer in;

  FrameReader(ByteBuffer in) {
    this.in = in;
  }

  /** Reads one part of a frame. */
  interface Part<T> {
    T read(FrameReader from);
  }

  int tag() {
    return in.get();
  }

  boolean flag() {
    int value = in.get();
    if (value != 0 && value != 1) {
      throw new IllegalArgumentException("not a flag: " + value);
    }
    return value == 1;
  }

  int number() {
    return in.getInt();
  }

  long longNumber() {
    return in.getLong();
  }

  byte[] raw(int length) {
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(length + " bytes of " + in.remaining());
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }

  byte[] bytes() {
    return raw(number());
  }

  String text() {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes())).toString();
    } catch (CharacterCodingException e) {
      throw new IllegalArgumentException("not UTF-8", e);
    }
  }

  Duration time() {
    long seconds = longNumber();
    return Duration.ofSeconds(seconds, nanos());
  }

  Instant moment() {
    long seconds = longNumber();
    return Instant.ofEpochSecond(seconds, nanos());
  }

  private int nanos() {
    int nanos = number();
    if (nanos < 0 || nanos > 999_999_999) {
      throw new IllegalArgumentException("not nanoseconds: " + nanos);
    }
    return nanos;
  }

  <T> @Nullable T optional(Part<T> part) {
    return flag() ? part.read(this) : null;
  }

  <T> List<T> list(int most, Part<T> part) {
    int count = Short.toUnsignedInt(in.getShort());
    if (count > most) {
      throw new IllegalArgumentException(count + " elements, more than " + most);
    }
    List<T> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(part.read(this));
    }
    return all;
  }

  /** Reads a part that begins with its length, and has just that. */
  <T> T whole(Part<T> part) {
    int length = number();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException(length + " bytes of " + in.remaining());
    }
    FrameReader inner = new FrameReader(in.slice(in.position(), length));
    in.position(in.position() + length);
    T read = part.read(inner);
    inner.end();
    return read;
  }

  void end() {
    if (in.hasRemaining()) {
      throw new IllegalArgumentException(in.remaining() + " bytes too many");
    }
  }
}
