package org.svcmailbox.ejb.redrive;

import org.junit.jupiter.api.extension.RegisterExtension;
import org.svcmailbox.core.redrive.JobStore;
import org.svcmailbox.core.redrive.JobStoreContract;
import org.svcmailbox.ejb.store.TestDatabase;

class PostgresJobStoreTest implements JobStoreContract {
  @RegisterExtension static final TestDatabase DATABASE = TestDatabase.postgres();

  private final JobStore store = new JpaJobStore(DATABASE.transactions());

  @Override
  public JobStore store() {
    return store;
  }
}
