package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
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
  void memoryOfThisProcessLeavesNoTraceAndIsRefusedOtherwise() throws SQLException {
    DataSource memory = MemoryUrl.source();
    try (Connection keeper = memory.getConnection()) {
      assertTrue(keeper.isValid(1));
      assertEquals(List.of(), Durability.traces(memory, Database.SQLITE));
      assertEquals(
          List.of(
              "pragma journal_mode says memory, needed is [wal]",
              "pragma synchronous says 0, needed is [2, 3]"),
          Durability.violations(memory, Database.SQLITE));
    }
  }

  @Test
  void whatIsInAFileOrServedLeavesATrace() throws SQLException, IOException {
    SQLiteDataSource file = source(JournalMode.WAL, SynchronousMode.FULL);
    assertEquals(
        List.of(
            "select file from pragma_database_list where name = 'main' says "
                + directory.toRealPath().resolve("WAL.db")
                + ", needed is []",
            "pragma journal_mode says wal, needed is [memory, off]",
            "pragma temp_store says 0, needed is [2]"),
        Durability.traces(file, Database.SQLITE));
    assertEquals(
        List.of("POSTGRESQL is not in this process"),
        Durability.traces(POSTGRES.source(), Database.POSTGRESQL));
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
    return Durability.violations(source(journal, synchronous), Database.SQLITE);
  }

  private SQLiteDataSource source(JournalMode journal, SynchronousMode synchronous) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(journal);
    config.setSynchronous(synchronous);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + directory.resolve(journal + ".db"));
    return source;
  }
}
