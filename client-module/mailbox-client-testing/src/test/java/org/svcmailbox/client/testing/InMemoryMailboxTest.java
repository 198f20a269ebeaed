package org.svcmailbox.client.testing;

import org.svcmailbox.client.BackendFeatures;

class InMemoryMailboxTest extends InMemoryContract {
  InMemoryMailboxTest() {
    super(BackendFeatures.IN_MEMORY);
  }
}
