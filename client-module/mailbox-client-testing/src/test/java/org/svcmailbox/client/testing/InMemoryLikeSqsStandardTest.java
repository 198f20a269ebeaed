package org.svcmailbox.client.testing;

import org.svcmailbox.client.Capabilities;

class InMemoryLikeSqsStandardTest extends InMemoryContract {
  InMemoryLikeSqsStandardTest() {
    super(Capabilities.SQS_STANDARD);
  }
}
