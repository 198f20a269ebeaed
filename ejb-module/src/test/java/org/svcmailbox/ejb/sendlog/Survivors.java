package org.svcmailbox.ejb.sendlog;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.SendLog;
import org.svcmailbox.core.delivery.SendLog.Taken;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.ejb.sendlog.Announced.Place;
import org.svcmailbox.ejb.store.ServerUrl;
import org.svcmailbox.ejb.store.SqliteFile;

/** What a reopened file still has of the batches that were announced. */
final class Survivors {
  private final SqliteFile file;
  private final SendLog log;
  private final List<Announced> announced;
  private final List<String> faults = new ArrayList<>();
  // Rows nobody announced: a crash may leave whole batches of them, but no halves.
  private long unannouncedKeys;
  private long unannouncedEntries;

  private Survivors(SqliteFile file, List<Announced> announced) {
    this.file = file;
    this.log = new JpaSendLog(file.transactions(), InstantSource.system());
    this.announced = announced;
  }

  /** Opens the file as a restart does and lists what is wrong with it; empty when nothing is. */
  static List<String> faults(ServerUrl url, Path path, List<Announced> announced)
      throws SQLException {
    try (SqliteFile file = SqliteFile.open(url, path)) {
      return new Survivors(file, announced).check();
    }
  }

  private List<String> check() throws SQLException {
    checkIntegrity();
    checkKeys();
    checkLedgers();
    checkNumbers();
    if (unannouncedKeys != unannouncedEntries) {
      faults.add("halves: " + unannouncedKeys + " keys, " + unannouncedEntries + " entries");
    }
    return faults;
  }

  private void checkIntegrity() throws SQLException {
    try (Connection connection = file.source().getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("pragma integrity_check")) {
      while (rows.next()) {
        if (!rows.getString(1).equals("ok")) {
          faults.add("integrity_check: " + rows.getString(1));
        }
      }
    }
  }

  private void checkKeys() {
    Map<IdempotencyKey, Taken> found = log.find(places().stream().map(Place::key).toList());
    unannouncedKeys = log.countKeys() - found.size();
    for (Place place : places()) {
      Taken taken = found.get(place.key());
      compare("key", place, taken == null ? null : taken.reservation().msgId());
    }
  }

  private void checkLedgers() {
    Map<Integer, List<Place>> byShard =
        places().stream().collect(Collectors.groupingBy(Place::shard));
    for (int shard = 0; shard < BatchWriter.WORKERS * BatchWriter.SHARDS_EACH; shard++) {
      checkLedger(shard, byShard.getOrDefault(shard, List.of()));
    }
  }

  private void checkLedger(int shard, List<Place> places) {
    List<LedgerEntry> entries = log.ledger(BatchWriter.TOPIC, shard, 1, Integer.MAX_VALUE);
    if (LedgerVerdict.check(LedgerHead.EMPTY, entries) instanceof LedgerVerdict.BrokenAt broken) {
      faults.add("ledger of shard " + shard + " is broken at " + broken.seq());
    }
    Map<Long, MsgId> bySeq =
        entries.stream().collect(Collectors.toMap(LedgerEntry::seq, LedgerEntry::msgId));
    places.forEach(place -> compare("entry", place, bySeq.get(place.seq())));
    places.forEach(place -> bySeq.remove(place.seq()));
    unannouncedEntries += bySeq.size();
  }

  private void checkNumbers() {
    Map<Integer, Long> last =
        announced.stream()
            .collect(Collectors.toMap(Announced::worker, Announced::batchNo, Math::max));
    last.forEach(
        (worker, batchNo) -> {
          long found = log.lastBatch(worker).last().number();
          if (found < batchNo) {
            faults.add("worker " + worker + " is at batch " + found + ", announced " + batchNo);
          }
        });
  }

  private void compare(String table, Place place, @Nullable MsgId found) {
    if (found == null) {
      faults.add(table + " " + place.name() + " is missing");
    } else if (!found.equals(place.msgId())) {
      faults.add(table + " " + place.name() + " has " + found + " for " + place.msgId());
    }
  }

  private List<Place> places() {
    return announced.stream().flatMap(batch -> batch.places().stream()).toList();
  }
}
