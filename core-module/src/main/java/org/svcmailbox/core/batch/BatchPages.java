package org.svcmailbox.core.batch;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.svcmailbox.core.ledger.LedgerId;

/**
 * The pages of a batch. The same bytes are in the batch's record in the broker, in the database,
 * and, until they are there, in memory.
 */
public record BatchPages(List<StoredKeys> keys, List<LedgerPage> ledgers) {
  private static final int KEYS_HEADER = Long.BYTES + Integer.BYTES;
  private static final int LEDGER_HEADER = 2 * Integer.BYTES + Long.BYTES + Integer.BYTES;

  /**
   * Makes the pages of a batch.
   *
   * @param rows the rows, those of each ledger in order
   */
  public static BatchPages of(List<Row> rows) {
    return new BatchPages(StoredKeys.of(rows), LedgerPage.of(rows));
  }

  /**
   * Encodes for a record: the number of pages of keys, and each page's expiry, size and entries.
   * The ledgers' pages follow in the same way (topic, shard, first number, size, entries). Integers
   * are big-endian.
   */
  ByteBuffer encode() {
    int size = 2 * Integer.BYTES;
    size += keys.stream().mapToInt(page -> KEYS_HEADER + page.entries().length).sum();
    size += ledgers.stream().mapToInt(page -> LEDGER_HEADER + page.entries().length).sum();
    ByteBuffer out = ByteBuffer.allocate(size).putInt(keys.size());
    for (StoredKeys page : keys) {
      out.putLong(page.expiresAt()).putInt(page.entries().length).put(page.entries());
    }
    out.putInt(ledgers.size());
    for (LedgerPage page : ledgers) {
      out.putInt(page.ledger().topicId()).putInt(page.ledger().shard()).putLong(page.firstSeq());
      out.putInt(page.entries().length).put(page.entries());
    }
    return out.flip();
  }

  /**
   * Decodes bytes of {@link #encode}.
   *
   * @throws java.nio.BufferUnderflowException if it is cut short
   */
  static BatchPages decode(ByteBuffer encoded) {
    ByteBuffer in = encoded.duplicate();
    List<StoredKeys> keys = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      keys.add(new StoredKeys(in.getLong(), bytes(in)));
    }
    List<LedgerPage> ledgers = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      LedgerId ledger = new LedgerId(in.getInt(), in.getInt());
      ledgers.add(new LedgerPage(ledger, in.getLong(), bytes(in)));
    }
    return new BatchPages(keys, ledgers);
  }

  private static byte[] bytes(ByteBuffer in) {
    byte[] bytes = new byte[in.getInt()];
    in.get(bytes);
    return bytes;
  }

  /** The ids of the topics whose ledgers these pages continue. */
  Stream<Integer> topics() {
    return ledgers.stream().map(page -> page.ledger().topicId());
  }

  int size() {
    return keys.stream().mapToInt(page -> page.entries().length).sum()
        + ledgers.stream().mapToInt(page -> page.entries().length).sum();
  }
}
