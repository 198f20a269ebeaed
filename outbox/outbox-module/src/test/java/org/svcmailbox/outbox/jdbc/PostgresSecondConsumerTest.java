package org.svcmailbox.outbox.jdbc;

import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;

/** The contract with a consumer that is not the first of its database. */
@Tag("nightly")
class PostgresSecondConsumerTest extends JdbcInboxContract {
  private static final DataSource SOURCE = SharedPostgres.database("second");

  @Override
  protected String firstConsumer() {
    return "first";
  }

  @Override
  protected DataSource source() {
    return SOURCE;
  }
}
