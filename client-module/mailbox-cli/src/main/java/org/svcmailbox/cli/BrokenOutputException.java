package org.svcmailbox.cli;

import java.io.IOException;

/** Standard output takes no more, as when a pipe's reader has ended. */
final class BrokenOutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BrokenOutputException(IOException cause) {
    super("standard output cannot be written", cause);
  }
}
