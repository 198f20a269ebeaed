package org.svcmailbox.client.testing;

import org.svcmailbox.client.Capabilities;

class InMemoryLikeHttpTest extends InMemoryContract {
  InMemoryLikeHttpTest() {
    super(Capabilities.HTTP);
  }
}
