package org.svcmailbox.ejb.store;

/**
 * How PostgreSQL lays out rows, on pages of 8 KiB: a tuple in the heap and an entry in the primary
 * key's index; of a blob that is too long for the heap, chunks in a table beside it.
 */
final class PostgresFormat {
  private static final int PAGE = 8_192;
  private static final int PAGE_HEADER = 24;

  /** A tuple's header, its key, the blob's length, its line pointer. */
  private static final int TUPLE = 24 + 16 + 4 + 4;

  /** An entry in the primary key's index, with the free space around it. */
  private static final int INDEX = 40;

  /** The longest blob that stays in the heap, when it cannot be compressed. */
  private static final int MOST_INLINE = 1_984;

  /** A tuple whose blob is elsewhere, and its entry in the index. */
  private static final int REFERENCE = 70 + INDEX;

  private static final int CHUNK = 1_996;

  /** A chunk's header and its entry in the chunks' index. */
  private static final int CHUNK_ROW = 44;

  /** Four chunks fill a page, so that a shorter one leaves part of it free. */
  private static final double SPARE = 0.15;

  private PostgresFormat() {}

  static int rowBytes(int blob) {
    if (blob <= MOST_INLINE) {
      int perPage = (PAGE - PAGE_HEADER) / (aligned(blob) + TUPLE);
      return PAGE / perPage + INDEX;
    }
    int chunks = (blob + CHUNK - 1) / CHUNK;
    return REFERENCE + (int) ((blob + chunks * CHUNK_ROW) * (1 + SPARE));
  }

  private static int aligned(int bytes) {
    return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
  }
}
