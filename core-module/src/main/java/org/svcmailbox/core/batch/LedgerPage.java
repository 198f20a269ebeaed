package org.svcmailbox.core.batch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.ledger.LedgerEntry;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * Consecutive entries that one batch adds to one ledger, in stored form. An entry has 80 bytes
 * (message id 16, hash chain 32, link 32); its number follows from its place.
 */
public final class LedgerPage {
  public static final int ENTRY_BYTES = MsgId.BYTES + 2 * Digest.BYTES;

  private final LedgerId ledger;
  private final long firstSeq;
  private final byte[] entries;

  /**
   * @param firstSeq the number of the first entry
   * @param entries at least one
   */
  public LedgerPage(LedgerId ledger, long firstSeq, byte[] entries) {
    if (entries.length == 0 || entries.length % ENTRY_BYTES != 0) {
      throw new IllegalArgumentException(entries.length + " bytes of entries");
    }
    this.ledger = ledger;
    this.firstSeq = firstSeq;
    this.entries = entries;
  }

  /** Makes the pages of these rows: one per ledger, or more if its numbers have gaps. */
  static List<LedgerPage> of(List<Row> rows) {
    List<List<Row>> stretches = new ArrayList<>();
    Map<LedgerId, List<Row>> open = new HashMap<>();
    for (Row row : rows) {
      LedgerId ledger = new LedgerId(row.topicId(), row.shard());
      List<Row> stretch = open.get(ledger);
      if (stretch == null || last(stretch).seq() + 1 != row.entry().seq()) {
        stretch = new ArrayList<>();
        open.put(ledger, stretch);
        stretches.add(stretch);
      }
      stretch.add(row);
    }
    return stretches.stream().map(LedgerPage::page).toList();
  }

  private static LedgerEntry last(List<Row> stretch) {
    return stretch.get(stretch.size() - 1).entry();
  }

  private static LedgerPage page(List<Row> stretch) {
    ByteBuffer out = ByteBuffer.allocate(ENTRY_BYTES * stretch.size());
    for (Row row : stretch) {
      LedgerEntry entry = row.entry();
      out.putLong(entry.msgId().high()).putLong(entry.msgId().low());
      out.put(entry.hashChain().bytes()).put(entry.link().bytes());
    }
    Row first = stretch.get(0);
    LedgerId ledger = new LedgerId(first.topicId(), first.shard());
    return new LedgerPage(ledger, first.entry().seq(), out.array());
  }

  /** Decodes stored entries. */
  public static List<LedgerEntry> entries(long firstSeq, byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<LedgerEntry> entries = new ArrayList<>(bytes.length / ENTRY_BYTES);
    while (in.hasRemaining()) {
      MsgId msgId = new MsgId(in.getLong(), in.getLong());
      entries.add(new LedgerEntry(firstSeq + entries.size(), msgId, digest(in), digest(in)));
    }
    return entries;
  }

  static Digest digest(ByteBuffer in) {
    byte[] bytes = new byte[Digest.BYTES];
    in.get(bytes);
    return Digest.ofBytes(bytes);
  }

  /** The ledger that it continues. */
  public LedgerId ledger() {
    return ledger;
  }

  /** The number of the first entry. */
  public long firstSeq() {
    return firstSeq;
  }

  /** The stored form; must not be modified. */
  public byte[] entries() {
    return entries;
  }

  /** The number of the last entry. */
  public long lastSeq() {
    return firstSeq + entries.length / ENTRY_BYTES - 1;
  }

  /** The head of the ledger after this page. */
  public LedgerHead head() {
    ByteBuffer link = ByteBuffer.wrap(entries).position(entries.length - Digest.BYTES);
    return new LedgerHead(lastSeq(), digest(link));
  }
}
