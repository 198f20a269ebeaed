package org.svcmailbox.openapi;

import com.microsoft.playwright.impl.driver.Driver;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Redocly's linter, run by the Node inside Playwright's jar. */
final class Linter {
  private static final Path SCRIPT = Path.of("src", "test", "lint", "lint.mjs").toAbsolutePath();
  private static final String WEBJARS = System.getProperty("linter");
  private static final long PATIENCE_SECONDS = 60;

  private final String node =
      Driver.createAndInstall(Map.of(), false).createProcessBuilder().command().get(0);

  /** The exit status and everything it printed. */
  record Verdict(int status, String text) {
    boolean isClean() {
      return status == 0;
    }
  }

  Verdict lint(Path document) throws IOException, InterruptedException {
    Path output = Files.createTempFile("lint", ".txt");
    try {
      ProcessBuilder call =
          new ProcessBuilder(List.of(node, SCRIPT.toString(), WEBJARS, document.toString()))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile());
      Process process = call.start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException("the linter did not end");
      }
      return new Verdict(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
    } finally {
      Files.delete(output);
    }
  }
}
