package org.svcmailbox.ejb.sendlog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.core.idempotency.IdempotencyKey;

/**
 * Where the rows of a batch are: 16 bytes a page and a key, so that a withdrawal needs no search
 * and the tables no column or index for it.
 */
record BatchPlaces(List<PagePlace> pages, List<IdempotencyKey> keys) {
  /** Where a page of a ledger begins. */
  record PagePlace(int topicId, int shard, long firstSeq) {
    static final int BYTES = 2 * Integer.BYTES + Long.BYTES;

    static PagePlace of(LedgerPage page) {
      return new PagePlace(page.topicId(), page.shard(), page.firstSeq());
    }
  }

  /** No rows. */
  static final BatchPlaces NONE = new BatchPlaces(List.of(), List.of());

  /** Reads what {@link #bytes} wrote. */
  static BatchPlaces ofBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<PagePlace> pages = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      pages.add(new PagePlace(in.getInt(), in.getInt(), in.getLong()));
    }
    List<IdempotencyKey> keys = new ArrayList<>();
    while (in.hasRemaining()) {
      keys.add(new IdempotencyKey(in.getLong(), in.getLong()));
    }
    return new BatchPlaces(pages, keys);
  }

  /** The stored form: the number of pages, the pages, the keys. */
  byte[] bytes() {
    int size = Integer.BYTES + pages.size() * PagePlace.BYTES + keys.size() * IdempotencyKey.BYTES;
    ByteBuffer out = ByteBuffer.allocate(size).putInt(pages.size());
    pages.forEach(page -> out.putInt(page.topicId()).putInt(page.shard()).putLong(page.firstSeq()));
    keys.forEach(key -> out.putLong(key.high()).putLong(key.low()));
    return out.array();
  }
}
