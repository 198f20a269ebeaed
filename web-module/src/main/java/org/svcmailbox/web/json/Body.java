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

  private byte[] bytes;
  private int length;

  private Body(int capacity) {
    this.bytes = new byte[capacity];
  }

  /** A body that is there already. */
  static Body of(byte[] bytes) {
    Body body = new Body(0);
    body.bytes = bytes;
    body.length = bytes.length;
    return body;
  }

  /**
   * Reads a stream to its end, or to one byte past the limit.
   *
   * @param declared the {@code Content-Length} header, null when there is none
   * @throws FrameTooLargeException when the body is over the limit
   * @throws SchemaException when the client did not deliver what it began
   */
  static Body read(InputStream stream, @Nullable String declared, BodyLimit limit) {
    // What a client merely declares is not allocated: the array grows with what has arrived.
    long length = DeclaredLength.of(declared);
    boolean isShort = length != DeclaredLength.UNKNOWN && length < FIRST_CHUNK;
    Body body = new Body(isShort ? (int) length + 1 : FIRST_CHUNK);
    try {
      body.fill(stream, limit.bytes());
    } catch (IOException e) {
      throw new SchemaException("body", "ended early or could not be read");
    }
    return body;
  }

  private void fill(InputStream stream, int limit) throws IOException {
    int read = stream.read(bytes, 0, bytes.length);
    while (read >= 0) {
      length += read;
      if (length > limit) {
        throw new FrameTooLargeException("the body", limit);
      }
      if (length == bytes.length) {
        byte[] larger = Arrays.copyOf(bytes, Math.min(2 * length, limit + 1));
        wipe();
        bytes = larger;
      }
      read = stream.read(bytes, length, bytes.length - length);
    }
  }

  /** Overwrites it: what was read from it has copies of its own. */
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
