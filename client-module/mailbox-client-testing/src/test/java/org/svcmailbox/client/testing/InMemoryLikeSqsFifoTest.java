package org.svcmailbox.client.testing;

import org.svcmailbox.client.Capabilities;

class InMemoryLikeSqsFifoTest extends InMemoryContract {
  InMemoryLikeSqsFifoTest() {
    super(Capabilities.SQS_FIFO);
  }
}
