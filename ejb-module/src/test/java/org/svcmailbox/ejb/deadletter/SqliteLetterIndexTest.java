package org.svcmailbox.ejb.deadletter;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class SqliteLetterIndexTest extends SqlLetterIndexContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.sqlite();

  SqliteLetterIndexTest() {
    super(DATABASE);
  }
}
