package org.svcmailbox.worker.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.AccessDeniedException;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.PublisherBusyException;

class ExitCodeTest {
  private static void assertCode(int expected, Throwable failure) {
    assertEquals(expected, ExitCode.of(failure).number(), failure::toString);
    assertTrue(ExitCode.isExpected(failure));
  }

  @Test
  void whatIsAwayIsWorthAnotherTry() {
    assertCode(4, new MailboxConnectionException("refused", Outcome.NOT_DONE, null));
    assertCode(4, new MailboxFullException("full", null));
    assertCode(4, new OutboxStoreException("away", new SQLException()));
    assertCode(4, new PublisherBusyException("another"));
    assertCode(4, new SQLException("away"));
  }

  @Test
  void whatIsRefusedStaysSo() {
    assertCode(3, new AccessDeniedException("no"));
    assertCode(3, new IllegalArgumentException("no name of a topic"));
  }

  @Test
  void whatTheCallerGotWrongIsMisuse() {
    assertCode(2, new OutboxException(ErrorCode.INVALID_CONFIG, "no note"));
  }

  @Test
  void aFaultOfOursIsShownWhole() {
    assertEquals(1, ExitCode.of(new IllegalStateException()).number());
    assertFalse(ExitCode.isExpected(new IllegalStateException()));
  }
}
