package org.svcmailbox.outbox.jdbc;

import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;

/** The contract with a consumer that is not the first of its database. */
class H2SecondConsumerTest extends JdbcInboxContract {
  private static final JdbcConnectionPool POOL =
      JdbcConnectionPool.create("jdbc:h2:mem:second;DB_CLOSE_DELAY=-1", "sa", "");

  @AfterAll
  static void close() {
    POOL.dispose();
  }

  @Override
  protected String firstConsumer() {
    return "first";
  }

  @Override
  protected DataSource source() {
    return POOL;
  }
}
