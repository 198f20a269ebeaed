package org.svcmailbox.worker.command;

import org.svcmailbox.worker.config.WorkerSettings;

class PostgresInboxCommandTest extends InboxCommandContract {
  private final WorkerSettings.Database database = Postgres.database();

  @Override
  protected WorkerSettings.Database database() {
    return database;
  }
}
