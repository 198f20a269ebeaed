package org.svcmailbox.it.drill;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerVerdict;

/** The ledgers of a stopped server, read from its database file. */
final class Ledgers {
  private static final String PAGES =
      "select t.name, p.shard, p.first_seq, p.entries"
          + " from ledger_page p join topic t on t.id = p.topic_id"
          + " order by t.name, p.shard, p.first_seq";

  private final Map<String, List<LedgerEntry>> byShard = new TreeMap<>();

  private Ledgers() {}

  /** Reads all of them. */
  static Ledgers read(Path data) throws SQLException {
    Path file = data.resolve("mailbox").resolve("mailbox.db");
    Ledgers ledgers = new Ledgers();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(PAGES)) {
      while (rows.next()) {
        String shard = rows.getString(1) + "/" + rows.getInt(2);
        List<LedgerEntry> entries =
            ledgers.byShard.computeIfAbsent(shard, key -> new ArrayList<>());
        addPage(entries, rows.getLong(3), ByteBuffer.wrap(rows.getBytes(4)));
      }
    }
    return ledgers;
  }

  /**
   * Each is intact, and they have one entry for each of these messages and no other.
   *
   * @param known ids of all messages that there ever were
   * @param label says which run this is, when something goes wrong
   */
  void assertHaveExactly(Set<String> known, String label) {
    verdicts()
        .forEach(
            (shard, verdict) ->
                assertTrue(verdict instanceof LedgerVerdict.Intact, shard + ": " + verdict));
    Set<String> missing = new HashSet<>(known);
    missing.removeAll(msgIds());
    assertEquals(Set.of(), missing, "messages without a ledger entry; " + label);
    Set<String> unknown = new HashSet<>(msgIds());
    unknown.removeAll(known);
    // Every SEND was repeated until it was answered, so no entry can be a stranger.
    assertEquals(Set.of(), unknown, "ledger entries without a message; " + label);
    assertEquals(msgIds().size(), size(), "one entry for each message");
  }

  private Map<String, LedgerVerdict> verdicts() {
    Map<String, LedgerVerdict> verdicts = new TreeMap<>();
    byShard.forEach(
        (shard, entries) -> verdicts.put(shard, LedgerVerdict.check(LedgerHead.EMPTY, entries)));
    return verdicts;
  }

  private Set<String> msgIds() {
    return byShard.values().stream()
        .flatMap(List::stream)
        .map(entry -> entry.msgId().toString())
        .collect(Collectors.toSet());
  }

  private long size() {
    return byShard.values().stream().mapToLong(List::size).sum();
  }

  /** An entry is 80 bytes: msg_id 16, hash_chain 32, link 32. */
  private static void addPage(List<LedgerEntry> entries, long firstSeq, ByteBuffer page) {
    for (long seq = firstSeq; page.hasRemaining(); seq++) {
      MsgId msgId = new MsgId(page.getLong(), page.getLong());
      entries.add(new LedgerEntry(seq, msgId, digest(page), digest(page)));
    }
  }

  private static Digest digest(ByteBuffer page) {
    byte[] bytes = new byte[Digest.BYTES];
    page.get(bytes);
    return Digest.ofBytes(bytes);
  }
}
