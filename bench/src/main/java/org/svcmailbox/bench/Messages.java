package org.svcmailbox.bench;

import java.util.function.IntFunction;

/** The bodies of SENDs, each with the one payload. */
final class Messages {
  private static final int ROUGHLY = 1_500;

  private Messages() {}

  /** One message. */
  static String one(String topic, String key) {
    return "{\"topic\":\""
        + topic
        + "\",\"idem_key\":\""
        + key
        + "\",\"payload\":\""
        + LoadPayload.BASE64
        + "\"}";
  }

  /** So many of them in one call. */
  static String batch(String topic, int count, IntFunction<String> key) {
    StringBuilder json = new StringBuilder(count * ROUGHLY).append("{\"messages\":[");
    for (int i = 0; i < count; i++) {
      json.append(i == 0 ? "" : ",").append(one(topic, key.apply(i)));
    }
    return json.append("]}").toString();
  }
}
