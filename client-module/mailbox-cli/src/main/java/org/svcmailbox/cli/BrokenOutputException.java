package org.svcmailbox.cli;

import java.io.IOException;
import java.util.Locale;

/** Standard output accepts no more: the reader of a pipe has ended, or a disk is full. */
final class BrokenOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean pipe;

  BrokenOutputException(IOException cause) {
    super("standard output cannot be written: " + cause.getMessage(), cause);
    this.pipe = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("pipe");
  }

  /** Whether a reader had read enough, as {@code head} does, so that nothing has failed. */
  boolean isPipe() {
    return pipe;
  }
}
