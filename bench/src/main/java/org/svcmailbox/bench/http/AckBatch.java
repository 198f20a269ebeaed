package org.svcmailbox.bench.http;

/**
 * The body that acknowledges all messages of a RECV answer. It is cut out of the answer without
 * parsing: ids and receipts are plain ASCII, one pair for each message.
 *
 * @param size number of messages
 */
public record AckBatch(int size, String json) {
  private static final String MSG_ID = "\"msg_id\":\"";
  private static final String RECEIPT = "\"receipt\":\"";

  public static AckBatch of(String answer) {
    StringBuilder json = new StringBuilder(1024).append("{\"acks\":[");
    int size = 0;
    int at = answer.indexOf(MSG_ID);
    while (at >= 0) {
      int receipt = answer.indexOf(RECEIPT, at);
      json.append(size == 0 ? "{" : ",{");
      json.append(MSG_ID).append(value(answer, at + MSG_ID.length()));
      json.append(',').append(RECEIPT).append(value(answer, receipt + RECEIPT.length()));
      json.append('}');
      size++;
      at = answer.indexOf(MSG_ID, receipt);
    }
    return new AckBatch(size, json.append("]}").toString());
  }

  /** The value at {@code from}, with its closing quote. */
  private static String value(String answer, int from) {
    return answer.substring(from, answer.indexOf('"', from) + 1);
  }
}
