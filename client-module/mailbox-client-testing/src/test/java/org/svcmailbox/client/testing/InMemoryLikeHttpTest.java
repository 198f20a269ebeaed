package org.svcmailbox.client.testing;

import org.svcmailbox.client.BackendFeatures;

class InMemoryLikeHttpTest extends InMemoryContract {
  InMemoryLikeHttpTest() {
    super(BackendFeatures.HTTP);
  }
}
