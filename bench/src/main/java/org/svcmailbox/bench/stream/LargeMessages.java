package org.svcmailbox.bench.stream;

import java.io.IOException;
import java.util.Base64;
import org.svcmailbox.bench.http.HttpConnection;

/** More payload than a connection takes without a reader. */
final class LargeMessages {
  static final long WINDOW_BYTES = 8 << 20;

  private static final int MESSAGES = 160;
  private static final String PAYLOAD = Base64.getEncoder().encodeToString(new byte[60 << 10]);

  private LargeMessages() {}

  static void send(HttpConnection connection, String topic) throws IOException {
    for (int i = 0; i < MESSAGES; i++) {
      String json =
          "{\"topic\":\"%s\",\"idem_key\":\"large-%d\",\"payload\":\"%s\"}"
              .formatted(topic, i, PAYLOAD);
      String unused = connection.post("/v1/send", json);
    }
  }
}
