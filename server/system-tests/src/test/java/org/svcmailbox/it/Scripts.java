package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;

/** Runs scripts of the distribution. */
final class Scripts {
  private Scripts() {}

  /**
   * Runs a script without input, to its end.
   *
   * @param code its exit code
   * @return its output and errors
   */
  static String said(ProcessBuilder builder, int code) throws IOException {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      assertEquals(code, process.waitFor(), said);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    return said;
  }
}
