package org.svcmailbox.worker.command;

import org.svcmailbox.worker.config.WorkerSettings;

class PostgresPublishCommandTest extends PublishCommandContract {
  private final WorkerSettings.Database database = Postgres.database();

  @Override
  protected WorkerSettings.Database database() {
    return database;
  }
}
