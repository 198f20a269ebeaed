package org.svcmailbox.ejb.batch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.ProjectionStore.MovedException;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.ejb.batch.Announced.Place;
import org.svcmailbox.ejb.store.ServerUrl;
import org.svcmailbox.ejb.store.SqliteFile;

/** The check behind the crash tests finds what is missing, and only that. */
class SurvivorsTest {
  private static final int STEPS = 5;

  /** The page of the second batch, whose first key the victim has. */
  private static final String VICTIMS_KEYS = " where worker = 0 and batch_no = 2";

  @TempDir private Path directory;
  private ServerUrl url;
  private Path damaged;
  private List<Announced> announced;
  private Place victim;

  @BeforeEach
  void writeAndCopy() throws IOException, SQLException, MovedException {
    url = ServerUrl.read();
    Path written = directory.resolve("written.db");
    announced = new ArrayList<>();
    try (SqliteFile file = SqliteFile.open(url, written)) {
      ProjectionStore store = new JpaProjectionStore(file.transactions());
      for (int worker = 0; worker < BatchWriter.WORKERS; worker++) {
        BatchWriter writer = new BatchWriter(store, worker, 42);
        for (int i = 0; i < STEPS; i++) {
          announced.addAll(writer.step());
        }
      }
    }
    // Closed, it is one file.
    damaged = Files.copy(written, directory.resolve("damaged.db"));
    victim =
        announced.get(1).places().stream()
            .min(
                Comparator.<Place>comparingLong(place -> place.key().high())
                    .thenComparingLong(place -> place.key().low()))
            .orElseThrow();
  }

  @Test
  void nothingIsWrongWithAnUntouchedFile() throws SQLException {
    assertEquals(List.of(), Survivors.faults(url, damaged, announced));
  }

  @Test
  void aMissingKeyIsReported() throws SQLException {
    update("update idempotency_page set entries = substr(entries, 65)" + VICTIMS_KEYS);
    assertEquals(
        List.of("key " + victim.name() + " is missing"), Survivors.faults(url, damaged, announced));
  }

  @Test
  void aKeyOfAnotherMessageIsReported() throws SQLException {
    MsgId other = announced.get(0).places().get(0).msgId();
    update(
        "update idempotency_page set entries = substr(entries, 1, 16) || ? || substr(entries, 33)"
            + VICTIMS_KEYS,
        other.bytes());
    assertEquals(
        List.of("key " + victim.name() + " has " + other + " for " + victim.msgId()),
        Survivors.faults(url, damaged, announced));
  }

  @Test
  void aMissingPageIsReported() throws SQLException {
    List<Place> page = page(announced.get(1), victim.shard());
    deletePage(page.get(0));
    List<String> expected = new ArrayList<>();
    expected.add("ledger of shard " + victim.shard() + " is broken at " + page.get(0).seq());
    page.forEach(place -> expected.add("entry " + place.name() + " is missing"));
    assertEquals(expected, Survivors.faults(url, damaged, announced));
  }

  @Test
  void anAlteredEntryIsReported() throws SQLException {
    List<Place> page = page(announced.get(1), victim.shard());
    update(
        "update ledger_page set entries = substr(entries, 1, length(entries) - 32) || ?"
            + pageOf(page.get(0)),
        new byte[Digest.BYTES]);
    assertEquals(
        List.of(
            "ledger of shard "
                + victim.shard()
                + " is broken at "
                + page.get(page.size() - 1).seq()),
        Survivors.faults(url, damaged, announced));
  }

  @Test
  void halfABatchThatNobodyAnnouncedIsReported() throws SQLException {
    Announced silent = announced.remove(announced.size() - 1);
    List<Place> page = page(silent, silent.places().get(0).shard());
    deletePage(page.get(0));
    int size = silent.places().size();
    assertEquals(
        List.of(
            "ledger of shard " + page.get(0).shard() + " ends elsewhere than its head says",
            "halves: " + size + " keys, " + (size - page.size()) + " entries"),
        Survivors.faults(url, damaged, announced));
  }

  private static List<Place> page(Announced batch, int shard) {
    return batch.places().stream().filter(place -> place.shard() == shard).toList();
  }

  private void deletePage(Place first) throws SQLException {
    update("delete from ledger_page" + pageOf(first));
  }

  private static String pageOf(Place first) {
    return " where shard = " + first.shard() + " and first_seq = " + first.seq();
  }

  @Test
  void aBatchNumberThatFellBackIsReported() throws SQLException {
    update("update send_log set applied = applied - 1 where worker = 1");
    long last = announced.get(announced.size() - 1).batchNo();
    assertEquals(
        List.of(
            "worker 1 is at batch " + (last - 1) + ", announced " + last,
            "worker 1 is at batch " + (last - 1) + ", its pages of keys are not"),
        Survivors.faults(url, damaged, announced));
  }

  @Test
  void aBatchNumberWithoutItsPagesIsReported() throws SQLException {
    update("update send_log set applied = applied + 1 where worker = 1");
    long next = announced.get(announced.size() - 1).batchNo() + 1;
    assertEquals(
        List.of("worker 1 is at batch " + next + ", its pages of keys are not"),
        Survivors.faults(url, damaged, announced));
  }

  @Test
  void aHeadThatFellBackIsReported() throws SQLException {
    update("update ledger_head set seq = seq - 1 where shard = " + victim.shard());
    assertEquals(
        List.of("ledger of shard " + victim.shard() + " ends elsewhere than its head says"),
        Survivors.faults(url, damaged, announced));
  }

  @Test
  void aLineIsReadBackAndHalfALineIsNone() {
    Announced batch = announced.get(0);
    String line = batch.line();
    assertEquals(batch, Announced.parse(line).orElseThrow());
    for (int length = 0; length < line.length(); length++) {
      assertEquals(List.of(), Announced.parse(line.substring(0, length)).stream().toList());
    }
  }

  private void update(String sql, byte[]... parameters) throws SQLException {
    try (SqliteFile file = SqliteFile.open(url, damaged);
        Connection connection = file.source().getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setBytes(i + 1, parameters[i]);
      }
      assertEquals(1, statement.executeUpdate());
    }
  }
}
