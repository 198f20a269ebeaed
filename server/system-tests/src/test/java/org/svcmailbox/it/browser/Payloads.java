package org.svcmailbox.it.browser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Sample payloads. */
final class Payloads {
  private static final int LARGE = 300 * 1024;

  private Payloads() {}

  /** Compresses text. */
  static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  /** Text longer than the preview's limit. */
  static byte[] large() {
    return "b".repeat(LARGE).getBytes(StandardCharsets.US_ASCII);
  }
}
