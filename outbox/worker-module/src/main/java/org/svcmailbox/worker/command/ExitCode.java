package org.svcmailbox.worker.command;

import java.sql.SQLException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.worker.config.ConfigException;

/** The meaning of an exit code. */
enum ExitCode {
  DONE(0),
  /** Nothing was changed, or a check failed. */
  NOT_DONE(1),
  /** The arguments or the settings are wrong. */
  USAGE(2),
  /** The same call would be refused again. */
  REFUSED(3),
  /** The same call may succeed later. */
  UNAVAILABLE(4);

  private final int number;

  ExitCode(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  static ExitCode of(Throwable failure) {
    if (failure instanceof ConfigException || failure instanceof OutboxException) {
      return USAGE;
    }
    if (failure instanceof MailboxConnectionException
        || failure instanceof MailboxFullException
        || failure instanceof OutboxStoreException
        || failure instanceof SQLException) {
      return UNAVAILABLE;
    }
    return failure instanceof MailboxException || failure instanceof IllegalArgumentException
        ? REFUSED
        : NOT_DONE;
  }

  /** Whether the message alone says everything there is to know. */
  static boolean isExpected(Throwable failure) {
    return of(failure) != NOT_DONE;
  }
}
