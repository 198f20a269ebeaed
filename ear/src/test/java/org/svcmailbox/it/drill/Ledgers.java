package org.svcmailbox.it.drill;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
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

/** The ledgers of a stopped server, read from its database file by who does not trust it. */
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

  /** The verdict on each shard's ledger. */
  Map<String, LedgerVerdict> verdicts() {
    Map<String, LedgerVerdict> verdicts = new TreeMap<>();
    byShard.forEach(
        (shard, entries) -> verdicts.put(shard, LedgerVerdict.check(LedgerHead.EMPTY, entries)));
    return verdicts;
  }

  /** The ids of every message in any of them. */
  Set<String> msgIds() {
    return byShard.values().stream()
        .flatMap(List::stream)
        .map(entry -> entry.msgId().toString())
        .collect(Collectors.toSet());
  }

  /** How many entries there are. */
  long size() {
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
