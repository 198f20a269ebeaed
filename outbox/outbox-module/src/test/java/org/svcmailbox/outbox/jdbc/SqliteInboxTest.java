package org.svcmailbox.outbox.jdbc;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteDataSource;

class SqliteInboxTest extends JdbcInboxContract {
  @TempDir private static Path directory;

  @Override
  protected DataSource source() {
    SQLiteDataSource source = new SQLiteDataSource();
    source.setUrl("jdbc:sqlite:" + directory.resolve("inbox.db"));
    return source;
  }

  /** It ends one of two transactions that both read before they write. */
  @Override
  protected boolean waitsForRows() {
    return false;
  }
}
