package org.svcmailbox.outbox.jdbc;

/**
 * The statements on a table of messages. Each one's last parameters are the message and its owner,
 * in this order.
 */
enum MessageTable {
  /** The specification's table, with the messages of the owner {@link InboxPlace#FIRST}. */
  OF_FIRST("inbox_messages", "? = ''"),
  /** The messages of all other owners. */
  OF_OTHERS("inbox_consumers", "consumer = ?");

  private final String select;
  private final String countAttempt;
  private final String markProcessed;
  private final String recordError;
  private final String delete;

  MessageTable(String table, String hasOwner) {
    String where = " WHERE message_id = ? AND " + hasOwner;
    select = "SELECT " + MessageRow.COLUMNS + " FROM " + table + " m" + where;
    countAttempt =
        "UPDATE "
            + table
            + " SET attempts = attempts + 1,"
            + " received_at = CASE WHEN received_at > ? THEN ? ELSE received_at END"
            + " WHERE processed_at IS NULL AND message_id = ? AND "
            + hasOwner;
    markProcessed =
        "UPDATE "
            + table
            + " SET processed_at = ? WHERE received_at <= ? AND message_id = ? AND "
            + hasOwner;
    recordError = "UPDATE " + table + " SET last_error = ?" + where;
    delete = "DELETE FROM " + table + where;
  }

  static MessageTable of(String owner) {
    return owner.equals(InboxPlace.FIRST) ? OF_FIRST : OF_OTHERS;
  }

  String select() {
    return select;
  }

  /** Takes the time of reception twice. */
  String countAttempt() {
    return countAttempt;
  }

  /** Takes the time twice. */
  String markProcessed() {
    return markProcessed;
  }

  /** Takes the error. */
  String recordError() {
    return recordError;
  }

  String delete() {
    return delete;
  }
}
