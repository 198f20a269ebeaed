package org.svcmailbox.ejb.deadletter;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresLetterIndexTest extends SqlLetterIndexContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  PostgresLetterIndexTest() {
    super(DATABASE);
  }
}
