package org.svcmailbox.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.svcmailbox.capability.Capability;

/** The person at the terminal: messages, questions and progress. Never shows a token. */
final class Console {
  private static final int MAX_ANSWER = 80;

  private final Surroundings surroundings;
  private final PrintStream err;

  Console(Surroundings surroundings) {
    this.surroundings = surroundings;
    this.err = surroundings.err();
  }

  /** Prints a message. */
  void note(String message) {
    err.println("mailbox: " + Capability.withoutTokens(message));
  }

  /**
   * Asks whether to continue.
   *
   * @throws UsageException if nobody can answer
   */
  boolean confirms(String question) {
    if (!surroundings.asks()) {
      throw new UsageException("there is no terminal to ask at: give --yes");
    }
    err.print(Capability.withoutTokens(question) + " [y/N] ");
    err.flush();
    String answer = answer().strip().toLowerCase(Locale.ROOT);
    return answer.equals("y") || answer.equals("yes");
  }

  private String answer() {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    InputStream in = surroundings.in();
    try {
      int next = in.read();
      while (next >= 0 && next != '\n' && line.size() < MAX_ANSWER) {
        line.write(next);
        next = in.read();
      }
    } catch (IOException e) {
      throw new UsageException("the answer cannot be read", e);
    }
    return line.toString(StandardCharsets.UTF_8);
  }

  /**
   * Shows progress, if somebody watches.
   *
   * @param max where it ends; negative if unknown
   */
  Progress progress(String task, long max, String unit) {
    return surroundings.shows() ? Progress.on(err, task, max, unit) : Progress.hidden();
  }
}
