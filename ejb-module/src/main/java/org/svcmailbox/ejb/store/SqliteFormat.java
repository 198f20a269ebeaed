package org.svcmailbox.ejb.store;

/**
 * How SQLite lays out rows of a table without row ids, on pages of 4 KiB: its file format's rules
 * for index cells.
 */
final class SqliteFormat {
  private static final int PAGE = 4_096;

  /** The record's header and the key. */
  private static final int KEY = 20;

  /** The most of a record, and the least of a longer one, that is beside its neighbours. */
  private static final int MOST_LOCAL = (PAGE - 12) * 64 / 255 - 23;

  private static final int LEAST_LOCAL = (PAGE - 12) * 32 / 255 - 23;

  /** Bytes of a record on an overflow page. */
  private static final int OVERFLOW = PAGE - 4;

  /** Of a page of cells, so much stays free. */
  private static final double SPARE = 0.1;

  private SqliteFormat() {}

  static int rowBytes(int blob) {
    int record = KEY + blob;
    int local = local(record);
    int overflows = (record - local + OVERFLOW - 1) / OVERFLOW;
    return (int) (local * (1 + SPARE)) + overflows * PAGE;
  }

  private static int local(int record) {
    if (record <= MOST_LOCAL) {
      return record;
    }
    int fitting = LEAST_LOCAL + (record - LEAST_LOCAL) % OVERFLOW;
    return fitting <= MOST_LOCAL ? fitting : LEAST_LOCAL;
  }
}
