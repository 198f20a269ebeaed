package org.svcmailbox.ejb.batch;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.SampleStart;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.ejb.batch.Announced.Place;
import org.svcmailbox.ejb.store.ServerUrl;
import org.svcmailbox.ejb.store.SqliteFile;

/** Compares a reopened file with the batches that were announced. */
final class Survivors {
  private final SqliteFile file;
  private final ProjectionStore store;
  private final List<Announced> announced;
  private final List<String> faults = new ArrayList<>();
  // Of rows that nobody announced, a crash may leave whole batches, but no halves.
  private long unannouncedKeys;
  private long unannouncedEntries;

  private Survivors(SqliteFile file, List<Announced> announced) {
    this.file = file;
    this.store = new JpaProjectionStore(file.transactions());
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
    checkLedgers();
    // Reported by now. A start would mend or refuse them, and nothing would be told of the keys.
    store.putHeads(store.pageEnds());
    checkKeys();
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
    SendRegistry registry = new SendRegistry(store, System::nanoTime);
    SampleStart.begin(registry);
    Map<IdempotencyKey, Taken> found =
        registry.find(places().stream().map(Place::key).toList(), Instant.EPOCH);
    unannouncedKeys = registry.countKeys() - found.size();
    for (Place place : places()) {
      Taken taken = found.get(place.key());
      compare(
          "key",
          place,
          taken instanceof Taken.Confirmed confirmed ? confirmed.reservation().msgId() : null);
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
    LedgerId ledger = new LedgerId(BatchWriter.TOPIC, shard);
    List<LedgerEntry> entries = store.ledger(ledger, 1, Integer.MAX_VALUE);
    if (LedgerVerdict.check(LedgerHead.EMPTY, entries) instanceof LedgerVerdict.BrokenAt broken) {
      faults.add("ledger of shard " + shard + " is broken at " + broken.seq());
    }
    LedgerHead head = store.heads().getOrDefault(ledger, LedgerHead.EMPTY);
    if (!head.equals(end(entries))) {
      faults.add("ledger of shard " + shard + " ends elsewhere than its head says");
    }
    Map<Long, MsgId> bySeq =
        entries.stream().collect(Collectors.toMap(LedgerEntry::seq, LedgerEntry::msgId));
    places.forEach(place -> compare("entry", place, bySeq.get(place.seq())));
    places.forEach(place -> bySeq.remove(place.seq()));
    unannouncedEntries += bySeq.size();
  }

  private static LedgerHead end(List<LedgerEntry> entries) {
    return entries.isEmpty() ? LedgerHead.EMPTY : LedgerHead.after(entries.get(entries.size() - 1));
  }

  private void checkNumbers() {
    Map<Integer, Long> last =
        announced.stream()
            .collect(Collectors.toMap(Announced::worker, Announced::batchNo, Math::max));
    for (int worker = 0; worker < BatchWriter.WORKERS; worker++) {
      long found = store.applied(WorkerId.of(worker)).number();
      long expected = last.getOrDefault(worker, 0L);
      if (found < expected) {
        faults.add("worker " + worker + " is at batch " + found + ", announced " + expected);
      }
      List<Long> pages = new ArrayList<>();
      store.keyPages(WorkerId.of(worker), (batchNo, keys) -> pages.add(batchNo));
      if (!pages.equals(LongStream.rangeClosed(1, found).boxed().toList())) {
        faults.add("worker " + worker + " is at batch " + found + ", its pages of keys are not");
      }
    }
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
