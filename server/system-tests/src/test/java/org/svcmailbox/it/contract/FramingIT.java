package org.svcmailbox.it.contract;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Framings;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;

/** The listener refuses requests that servers read differently, and heads that are too large. */
@ContractTest
@OnlyOnWildFly("requests are looked at before the server parses them (`framing`)")
class FramingIT {
  private final MailboxServer server;

  FramingIT(MailboxServer server) {
    this.server = server;
  }

  @Test
  void ambiguousRequestsAreRefused() throws IOException {
    Framings.assertRefused(server.target()::connect);
  }
}
