package org.svcmailbox.bench.http;

import java.util.function.IntFunction;

/** Bodies of SEND requests with {@link LoadPayload}. */
public final class Messages {
  private static final int LENGTH_EACH = 1_500;

  private Messages() {}

  public static String one(String topic, String key) {
    return "{\"topic\":\""
        + topic
        + "\",\"idem_key\":\""
        + key
        + "\",\"payload\":\""
        + LoadPayload.BASE64
        + "\"}";
  }

  /**
   * The body of a batch.
   *
   * @param key key of a message by its index
   */
  public static String batch(String topic, int count, IntFunction<String> key) {
    StringBuilder json = new StringBuilder(count * LENGTH_EACH).append("{\"messages\":[");
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "" : ",").append(one(topic, key.apply(i)));
    }
    return json.append("]}").toString();
  }
}
