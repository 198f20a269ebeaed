package org.svcmailbox.ejb.sendlog;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a batch's pages of the ledgers are: 16 bytes a page, so that a withdrawal needs no search
 * and their table no column or index for it.
 */
record BatchPlaces(List<PagePlace> pages) {
  /** Where a page of a ledger begins. */
  record PagePlace(int topicId, int shard, long firstSeq) {
    static final int BYTES = 2 * Integer.BYTES + Long.BYTES;

    static PagePlace of(LedgerPage page) {
      return new PagePlace(page.topicId(), page.shard(), page.firstSeq());
    }
  }

  /** No rows. */
  static final BatchPlaces NONE = new BatchPlaces(List.of());

  /** The places of these pages. */
  static BatchPlaces of(List<LedgerPage> pages) {
    return new BatchPlaces(pages.stream().map(PagePlace::of).toList());
  }

  /** Reads what {@link #bytes} wrote. */
  static BatchPlaces ofBytes(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    List<PagePlace> pages = new ArrayList<>();
    for (int left = in.getInt(); left > 0; left--) {
      pages.add(new PagePlace(in.getInt(), in.getInt(), in.getLong()));
    }
    return new BatchPlaces(pages);
  }

  /** The stored form: the number of pages, the pages. */
  byte[] bytes() {
    int size = Integer.BYTES + pages.size() * PagePlace.BYTES;
    ByteBuffer out = ByteBuffer.allocate(size).putInt(pages.size());
    pages.forEach(page -> out.putInt(page.topicId()).putInt(page.shard()).putLong(page.firstSeq()));
    return out.array();
  }
}
