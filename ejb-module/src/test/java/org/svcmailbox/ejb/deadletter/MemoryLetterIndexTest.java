package org.svcmailbox.ejb.deadletter;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class MemoryLetterIndexTest extends SqlLetterIndexContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.memory();

  MemoryLetterIndexTest() {
    super(DATABASE);
  }
}
