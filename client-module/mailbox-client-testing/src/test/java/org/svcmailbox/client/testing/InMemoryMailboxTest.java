package org.svcmailbox.client.testing;

import org.svcmailbox.client.Capabilities;

class InMemoryMailboxTest extends InMemoryContract {
  InMemoryMailboxTest() {
    super(Capabilities.IN_MEMORY);
  }
}
