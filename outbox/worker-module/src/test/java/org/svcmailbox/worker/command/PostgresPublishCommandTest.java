package org.svcmailbox.worker.command;

import org.junit.jupiter.api.Tag;
import org.svcmailbox.worker.config.WorkerSettings;

@Tag("nightly")
class PostgresPublishCommandTest extends PublishCommandContract {
  private final WorkerSettings.Database database = Postgres.database();

  @Override
  protected WorkerSettings.Database database() {
    return database;
  }
}
