package org.svcmailbox.core.batch;

import org.jspecify.annotations.Nullable;

/** Formats failures for operators. */
final class Causes {
  private static final int MAX_DEPTH = 20;

  /** A database's message can name every value of a row. */
  private static final int MOST_CHARS = 400;

  private Causes() {}

  /** A failure and its innermost cause, in one line of a few hundred characters at most. */
  static String text(Throwable failure) {
    Throwable innermost = failure;
    @Nullable Throwable cause = failure.getCause();
    for (int depth = 0; cause != null && depth < MAX_DEPTH; depth++) {
      innermost = cause;
      cause = cause.getCause();
    }
    String all =
        innermost == failure
            ? String.valueOf(failure.getMessage())
            : failure.getMessage() + ": " + innermost.getMessage();
    String line = all.strip().replaceAll("\\s+", " ");
    return line.length() <= MOST_CHARS ? line : line.substring(0, MOST_CHARS) + "...";
  }
}
