package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteDataSource;

class DurabilityTest {
  @RegisterExtension static final TestDatabase POSTGRES = TestDatabase.postgres();

  @TempDir private Path directory;

  @Test
  void sqliteThatSyncsEveryCommitIsFine() throws SQLException {
    assertEquals(List.of(), violations(JournalMode.WAL, SynchronousMode.FULL));
  }

  @Test
  void sqliteThatDoesNotSyncEveryCommitIsRefused() throws SQLException {
    assertEquals(
        List.of("pragma synchronous says 1, needed is [2, 3]"),
        violations(JournalMode.WAL, SynchronousMode.NORMAL));
    assertEquals(
        List.of(
            "pragma journal_mode says memory, needed is [wal]",
            "pragma synchronous says 0, needed is [2, 3]"),
        violations(JournalMode.MEMORY, SynchronousMode.OFF));
  }

  @Test
  void postgresAsItComesIsFine() throws SQLException {
    assertEquals(List.of(), Durability.violations(POSTGRES.source(), Database.POSTGRESQL));
  }

  @Test
  void postgresThatAnswersBeforeTheDiskIsRefused() throws SQLException {
    PGSimpleDataSource hasty = new PGSimpleDataSource();
    PGSimpleDataSource careful = (PGSimpleDataSource) POSTGRES.source();
    hasty.setUrl(careful.getUrl());
    hasty.setUser(careful.getUser());
    hasty.setOptions("-c synchronous_commit=off");
    List<String> found = Durability.violations(hasty, Database.POSTGRESQL);
    assertEquals(
        List.of(
            "show synchronous_commit says off,"
                + " needed is [on, local, remote_write, remote_apply]"),
        found);
  }

  private List<String> violations(JournalMode journal, SynchronousMode synchronous)
      throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(journal);
    config.setSynchronous(synchronous);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + directory.resolve(journal + ".db"));
    return Durability.violations(source, Database.SQLITE);
  }
}
