package org.svcmailbox.web.json;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.SchemaException;

/** A request's body in memory: the first {@code length} bytes of an array. */
final class Body {
  private static final int FIRST_CHUNK = 16 * 1024;
  private static final long UNKNOWN_LENGTH = -1;
  private static final int MAX_DIGITS = 18;

  private byte[] bytes;
  private int length;

  private Body(int capacity) {
    this.bytes = new byte[capacity];
  }

  static Body of(byte[] bytes) {
    Body body = new Body(0);
    body.bytes = bytes;
    body.length = bytes.length;
    return body;
  }

  /**
   * Reads a stream to its end, or to one byte past the limit.
   *
   * @param declared the {@code Content-Length} header; null when absent
   * @throws FrameTooLargeException when the body is over the limit
   * @throws SchemaException when the body ends early
   */
  static Body read(InputStream stream, @Nullable String declared, int limit) {
    long length = declaredLength(declared);
    if (length > limit) {
      throw new FrameTooLargeException("the body", limit);
    }
    int expected = length == UNKNOWN_LENGTH ? limit : (int) length;
    // The array grows with the bytes received. A declared length alone allocates nothing.
    Body body = new Body(Math.min(expected, FIRST_CHUNK));
    try {
      body.fill(stream, expected, limit);
    } catch (IOException e) {
      throw new SchemaException("body", "ended early or could not be read");
    }
    return body;
  }

  /** The bytes that a {@code Content-Length} header declares; -1 without a well-formed header. */
  static long declaredLength(@Nullable String header) {
    if (header == null || header.isEmpty() || !header.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return UNKNOWN_LENGTH;
    }
    return header.length() > MAX_DIGITS ? Long.MAX_VALUE : Long.parseLong(header);
  }

  private void fill(InputStream stream, int expected, int limit) throws IOException {
    length = stream.readNBytes(bytes, 0, bytes.length);
    int next = beyond(stream);
    while (next >= 0) {
      if (length == limit) {
        throw new FrameTooLargeException("the body", limit);
      }
      grow(length < expected ? expected : limit);
      bytes[length] = (byte) next;
      length++;
      length += stream.readNBytes(bytes, length, bytes.length - length);
      next = beyond(stream);
    }
  }

  /** The next byte if the array is full; -1 at the end of the stream or if the array has room. */
  private int beyond(InputStream stream) throws IOException {
    return length < bytes.length ? -1 : stream.read();
  }

  private void grow(int max) {
    byte[] larger = Arrays.copyOf(bytes, (int) Math.min(Math.max(2L * length, FIRST_CHUNK), max));
    wipe();
    bytes = larger;
  }

  /** Returns exactly the body's bytes, without a copy if the array fits. */
  byte[] exact() {
    if (length == bytes.length) {
      return bytes;
    }
    byte[] exact = Arrays.copyOf(bytes, length);
    wipe();
    return exact;
  }

  /** Overwrites the bytes; readers have their own copies. */
  void wipe() {
    Arrays.fill(bytes, 0, length, (byte) 0);
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
