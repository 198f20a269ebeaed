package org.svcmailbox.ejb.sendlog;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A program of the system, run to its end. */
final class SystemCommand {
  /** How it ended and what it said. */
  record Result(List<String> command, int status, String output) {
    boolean isFine() {
      return status == 0;
    }

    /** Throws unless it was fine. */
    void require() {
      if (!isFine()) {
        throw new IllegalStateException(command + " ended with " + status + ": " + output);
      }
    }
  }

  private static final int DEADLINE_MINUTES = 2;

  private SystemCommand() {}

  /** Whether there is a program of this name. */
  static boolean isThere(String program) throws IOException {
    return run("sh", "-c", "command -v \"$0\"", program).isFine();
  }

  /** Runs it; one that does not end is ended. */
  static Result run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    CompletableFuture.delayedExecutor(DEADLINE_MINUTES, TimeUnit.MINUTES)
        .execute(process::destroyForcibly);
    process.getOutputStream().close();
    String output =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return new Result(List.of(command), process.onExit().join().exitValue(), output);
  }
}
