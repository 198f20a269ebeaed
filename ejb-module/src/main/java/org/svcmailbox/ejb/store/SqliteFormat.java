package org.svcmailbox.ejb.store;

/** Estimates SQLite's layout of a table without row ids, on pages of 4 KiB. */
final class SqliteFormat {
  private static final int PAGE = 4_096;

  /** The record's header and the key. */
  private static final int KEY = 20;

  /** The longest record kept within its page; of a longer one, the least part kept there. */
  private static final int MOST_LOCAL = (PAGE - 12) * 64 / 255 - 23;

  private static final int LEAST_LOCAL = (PAGE - 12) * 32 / 255 - 23;

  /** Bytes of a record on an overflow page. */
  private static final int OVERFLOW = PAGE - 4;

  /** Free share of a page of cells. */
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
