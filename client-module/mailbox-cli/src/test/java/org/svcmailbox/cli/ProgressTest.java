package org.svcmailbox.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProgressTest {
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private Console console(boolean shows) {
    return new Console(
        new Surroundings(
            new ByteArrayInputStream(new byte[0]),
            OutputStream.nullOutputStream(),
            new PrintStream(err, true, UTF_8),
            Map.of(),
            false,
            shows));
  }

  @Test
  void aBarIsOneLineThatIsClearedAtTheEnd() {
    try (Progress progress = console(true).progress("reprocess", 3, "letters")) {
      progress.to(3);
    }
    String shown = err.toString(UTF_8);
    assertTrue(shown.contains("3/3 letters"), shown);
    assertTrue(shown.endsWith("\r"), shown);
    assertEquals(-1, shown.indexOf('\n'));
  }

  @Test
  void withoutATerminalNothingIsShown() {
    try (Progress progress = console(false).progress("send", -1, "bytes")) {
      progress.to(3);
    }
    assertEquals("", err.toString(UTF_8));
  }
}
