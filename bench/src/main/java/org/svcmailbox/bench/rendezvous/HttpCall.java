package org.svcmailbox.bench.rendezvous;

import java.nio.charset.StandardCharsets;
import org.svcmailbox.bench.http.LoadPayload;

/**
 * A request and its expected answer.
 *
 * @param status prefix of the expected status
 * @param least least length of the answer, head included
 * @param completes whether its answer completes a message
 */
record HttpCall(String request, String status, int least, boolean completes) {
  static HttpCall post(String path, String headers, String body) {
    String request =
        "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s"
            .formatted(path, headers, body.length(), body);
    return new HttpCall(request, "20", 0, false);
  }

  /** A GET that must get a message. */
  static HttpCall get(String path) {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    return new HttpCall(request, "200", LoadPayload.BYTES, true);
  }

  /** The same call as the last one of a message. */
  HttpCall last() {
    return new HttpCall(request, status, least, true);
  }

  byte[] bytes() {
    return request.getBytes(StandardCharsets.ISO_8859_1);
  }

  boolean isAnsweredBy(String answer) {
    return answer.startsWith("HTTP/1.1 " + status) && answer.length() >= least;
  }
}
