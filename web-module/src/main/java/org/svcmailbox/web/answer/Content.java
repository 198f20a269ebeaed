package org.svcmailbox.web.answer;

import java.io.IOException;
import java.io.OutputStream;

/** What an answer has to say, in memory as a whole. */
public interface Content {
  /** Nothing. */
  Content NONE = of(new byte[0]);

  /** Bytes. */
  int length();

  /** Writes all of it; at most once. */
  void writeTo(OutputStream output) throws IOException;

  /**
   * Bytes.
   *
   * @param bytes not copied: the caller gives them up
   */
  static Content of(byte[] bytes) {
    return new Content() {
      @Override
      public int length() {
        return bytes.length;
      }

      @Override
      public void writeTo(OutputStream output) throws IOException {
        output.write(bytes);
      }
    };
  }
}
