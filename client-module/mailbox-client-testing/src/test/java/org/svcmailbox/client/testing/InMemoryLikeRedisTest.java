package org.svcmailbox.client.testing;

import org.svcmailbox.client.BackendFeatures;

class InMemoryLikeRedisTest extends InMemoryContract {
  InMemoryLikeRedisTest() {
    super(BackendFeatures.REDIS);
  }
}
