package org.svcmailbox.cli;

import java.io.IOException;
import java.util.Locale;

/** Standard output takes no more: a pipe's reader has ended, or a disk is full. */
final class BrokenOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean pipe;

  BrokenOutputException(IOException cause) {
    super("standard output cannot be written: " + cause.getMessage(), cause);
    this.pipe = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }

  /** Whether a reader had enough, as {@code head} does: nothing has failed then. */
  boolean isPipe() {
    return pipe;
  }
}
