package org.svcmailbox.client.testing;

import org.svcmailbox.client.BackendFeatures;

class InMemoryLikeSqsFifoTest extends InMemoryContract {
  InMemoryLikeSqsFifoTest() {
    super(BackendFeatures.SQS_FIFO);
  }
}
