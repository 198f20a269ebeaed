package org.svcmailbox.outbox.jdbc;

import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2OutboxTest extends JdbcOutboxContract {
  private static JdbcConnectionPool pool;

  @BeforeAll
  static void open() {
    pool = JdbcConnectionPool.create("jdbc:h2:mem:outbox;DB_CLOSE_DELAY=-1", "sa", "");
  }

  @AfterAll
  static void close() {
    pool.dispose();
  }

  @Override
  protected DataSource source() {
    return pool;
  }
}
