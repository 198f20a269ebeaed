package org.svcmailbox.bench;

/**
 * The request that acknowledges everything in the answer to a RECV. It is cut out of the answer
 * without parsing it: ids and receipts are plain ASCII, and come once per message.
 *
 * @param size how many messages it acknowledges
 */
record AckBatch(int size, String json) {
  private static final String MSG_ID = "\"msg_id\":\"";
  private static final String RECEIPT = "\"receipt\":\"";

  static AckBatch of(String answer) {
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

  /** The rest of a string with its closing quote. */
  private static String value(String answer, int from) {
    return answer.substring(from, answer.indexOf('"', from) + 1);
  }
}
