package org.svcmailbox.ejb.sendlog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.delivery.SendLog.Row;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;

/**
 * What one batch adds to one shard's ledger: neighbouring entries, written and withdrawn together,
 * and so one row instead of one each.
 *
 * @param entries at least one, in order and without gaps
 */
record LedgerPage(int topicId, int shard, List<LedgerEntry> entries) {
  /** Bytes of an entry: the message's id, its hash chain, the link. */
  static final int ENTRY_BYTES = MsgId.BYTES + 2 * Digest.BYTES;

  LedgerPage {
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("a page has entries");
    }
  }

  /** The pages that these rows come to: one for each shard, unless it has gaps. */
  static List<LedgerPage> of(List<Row> rows) {
    List<LedgerPage> pages = new ArrayList<>();
    Map<LedgerKey, LedgerPage> open = new HashMap<>();
    for (Row row : rows) {
      LedgerKey ledger = new LedgerKey(row.topicId(), row.shard());
      LedgerPage page = open.get(ledger);
      if (page == null || page.lastSeq() + 1 != row.entry().seq()) {
        page = new LedgerPage(row.topicId(), row.shard(), new ArrayList<>(List.of(row.entry())));
        open.put(ledger, page);
        pages.add(page);
      } else {
        page.entries().add(row.entry());
      }
    }
    return pages;
  }

  /** Reads what {@link #bytes} wrote. */
  static List<LedgerEntry> entries(long firstSeq, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<LedgerEntry> entries = new ArrayList<>(bytes.length / ENTRY_BYTES);
    while (in.hasRemaining()) {
      MsgId msgId = new MsgId(in.getLong(), in.getLong());
      entries.add(new LedgerEntry(firstSeq + entries.size(), msgId, digest(in), digest(in)));
    }
    return entries;
  }

  /** The next 32 bytes. */
  static Digest digest(ByteBuffer in) {
    byte[] bytes = new byte[Digest.BYTES];
    in.get(bytes);
    return Digest.ofBytes(bytes);
  }

  /** How many bytes {@link #bytes} has. */
  int size() {
    return ENTRY_BYTES * entries.size();
  }

  /** The stored form: 80 bytes an entry, its number being its place. */
  byte[] bytes() {
    ByteBuffer out = ByteBuffer.allocate(size());
    for (LedgerEntry entry : entries) {
      out.putLong(entry.msgId().high()).putLong(entry.msgId().low());
      out.put(entry.hashChain().bytes()).put(entry.link().bytes());
    }
    return out.array();
  }

  long firstSeq() {
    return entries.get(0).seq();
  }

  private long lastSeq() {
    return entries.get(entries.size() - 1).seq();
  }
}
