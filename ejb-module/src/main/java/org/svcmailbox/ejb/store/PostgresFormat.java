package org.svcmailbox.ejb.store;

/**
 * Estimates PostgreSQL's row layout on pages of 8 KiB: a heap tuple and an index entry, with chunks
 * in another table for long blobs.
 */
final class PostgresFormat {
  private static final int PAGE = 8_192;
  private static final int PAGE_HEADER = 24;

  /** A tuple's header, key, blob length and line pointer. */
  private static final int TUPLE = 24 + 16 + 4 + 4;

  /** A primary key's index entry with its free space. */
  private static final int INDEX = 40;

  /** The longest incompressible blob that stays in the heap. */
  private static final int MOST_INLINE = 1_984;

  /** A tuple that refers to chunks, and its index entry. */
  private static final int REFERENCE = 70 + INDEX;

  private static final int CHUNK = 1_996;

  /** A chunk's header and index entry. */
  private static final int CHUNK_ROW = 44;

  /** Four chunks fill a page; a shorter one wastes part of it. */
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
