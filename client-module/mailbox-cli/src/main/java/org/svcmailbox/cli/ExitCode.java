package org.svcmailbox.cli;

import org.svcmailbox.client.IntegrityException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;

/** The meaning of an exit code. */
enum ExitCode {
  DONE(0),
  SOME_FAILED(1),
  USAGE(2),
  /** The same call would be refused again. */
  REFUSED(3),
  /** The same call may succeed later. */
  UNAVAILABLE(4),
  NOT_VERIFIED(5),
  NOTHING(6),
  INTERRUPTED(130),
  /** As of a program that SIGPIPE has ended. */
  PIPE_CLOSED(141);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** The exit code of a command that ended with a failure. */
  static ExitCode of(Throwable failure) {
    if (failure instanceof InterruptedException) {
      return INTERRUPTED;
    }
    if (failure instanceof UsageException) {
      return USAGE;
    }
    if (failure instanceof BrokenOutputException output && output.isPipe()) {
      return PIPE_CLOSED;
    }
    if (failure instanceof MailboxConnectionException || failure instanceof MailboxFullException) {
      return UNAVAILABLE;
    }
    if (failure instanceof IntegrityException) {
      return NOT_VERIFIED;
    }
    // The client throws an IllegalArgumentException for a 400 of the service.
    return failure instanceof MailboxException || failure instanceof IllegalArgumentException
        ? REFUSED
        : SOME_FAILED;
  }
}
