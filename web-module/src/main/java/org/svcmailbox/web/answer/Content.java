package org.svcmailbox.web.answer;

import java.io.IOException;
import java.io.OutputStream;

/** The content of an answer, entirely in memory. */
public interface Content {
  Content NONE = of(new byte[0]);

  /** The length in bytes. */
  int length();

  /** Writes a part of it. */
  void writeTo(OutputStream output, int from, int count) throws IOException;

  /** Writes all of it. */
  default void writeTo(OutputStream output) throws IOException {
    writeTo(output, 0, length());
  }

  /** Called once, when the bytes are written or no longer needed. */
  default void release() {}

  /**
   * Wraps bytes.
   *
   * @param bytes not copied; the caller must not use them afterwards
   */
  static Content of(byte[] bytes) {
    return new Content() {
      @Override
      public int length() {
        return bytes.length;
      }

      @Override
      public void writeTo(OutputStream output, int from, int count) throws IOException {
        output.write(bytes, from, count);
      }
    };
  }
}
