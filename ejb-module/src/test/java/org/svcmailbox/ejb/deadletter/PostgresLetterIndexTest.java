package org.svcmailbox.ejb.deadletter;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterIndexContract;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresLetterIndexTest implements LetterIndexContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final LetterIndex index = new SqlLetterIndex(DATABASE.transactions());

  @Override
  public LetterIndex index() {
    return index;
  }
}
