package org.svcmailbox.it.drill;

/**
 * An event that an application recorded.
 *
 * @param order what it happened to
 * @param answer the status that its handler gives in the end
 * @param fate the end of its transaction
 */
record WrittenEvent(String order, int answer, Fate fate) {
  static final int PROCESSED = 200;
  static final int POISON = 422;

  /** How a transaction ended. */
  enum Fate {
    COMMITTED,
    ROLLED_BACK,
    /** The database died before it answered to the commit. */
    UNKNOWN
  }
}
