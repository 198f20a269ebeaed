package org.svcmailbox.client.testing;

import org.svcmailbox.client.Capabilities;

class InMemoryLikeRedisTest extends InMemoryContract {
  InMemoryLikeRedisTest() {
    super(Capabilities.REDIS);
  }
}
