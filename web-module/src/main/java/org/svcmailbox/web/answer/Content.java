package org.svcmailbox.web.answer;

import java.io.IOException;
import java.io.OutputStream;

/** The content of an answer, entirely in memory. */
public interface Content {
  Content NONE = of(new byte[0]);

  /** The length in bytes. */
  int length();

  /** Writes all of it; called at most once. */
  void writeTo(OutputStream output) throws IOException;

  /**
   * Content of these bytes.
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
      public void writeTo(OutputStream output) throws IOException {
        output.write(bytes);
      }
    };
  }
}
