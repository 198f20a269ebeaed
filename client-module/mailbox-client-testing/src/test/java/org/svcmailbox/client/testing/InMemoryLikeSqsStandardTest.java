package org.svcmailbox.client.testing;

import org.svcmailbox.client.BackendFeatures;

class InMemoryLikeSqsStandardTest extends InMemoryContract {
  InMemoryLikeSqsStandardTest() {
    super(BackendFeatures.SQS_STANDARD);
  }
}
