package org.svcmailbox.it.kill;

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
  private static final String ENTRIES =
      "select t.name, l.shard, l.seq, l.msg_id, l.hash_chain, l.link"
          + " from ledger l join topic t on t.id = l.topic_id order by t.name, l.shard, l.seq";

  private final Map<String, List<LedgerEntry>> byShard = new TreeMap<>();

  private Ledgers() {}

  /** Reads all of them. */
  static Ledgers read(Path data) throws SQLException {
    Path file = data.resolve("mailbox").resolve("mailbox.db");
    Ledgers ledgers = new Ledgers();
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(ENTRIES)) {
      while (rows.next()) {
        String shard = rows.getString(1) + "/" + rows.getInt(2);
        ledgers.byShard.computeIfAbsent(shard, key -> new ArrayList<>()).add(entry(rows));
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

  private static LedgerEntry entry(ResultSet row) throws SQLException {
    return new LedgerEntry(
        row.getLong(3),
        msgId(row.getBytes(4)),
        Digest.ofBytes(row.getBytes(5)),
        Digest.ofBytes(row.getBytes(6)));
  }

  private static MsgId msgId(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new MsgId(buffer.getLong(), buffer.getLong());
  }
}
