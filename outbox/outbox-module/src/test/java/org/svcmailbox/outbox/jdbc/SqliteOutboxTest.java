package org.svcmailbox.outbox.jdbc;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.outbox.publish.Passes;

class SqliteOutboxTest extends JdbcOutboxContract {
  @TempDir private static Path directory;

  private static DataSource source;

  @BeforeAll
  static void open() {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
    config.setBusyTimeout(5_000);
    SQLiteDataSource files = new SQLiteDataSource(config);
    files.setUrl("jdbc:sqlite:" + directory.resolve("outbox.db"));
    source = files;
  }

  @Override
  protected DataSource source() {
    return source;
  }

  @Test
  void aSecondPublisherIsRefused() {
    Passes passes = new Passes(clock);
    store().begin(passes).close();
    try (JdbcOutboxStore second = new JdbcOutboxStore(source)) {
      assertThrows(OutboxStoreException.class, () -> second.begin(passes));
      closeTheStore();
      second.begin(passes).close();
    }
  }
}
