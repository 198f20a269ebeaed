package org.svcmailbox.bench;

import java.nio.charset.StandardCharsets;

/**
 * A request and the answer it must get.
 *
 * @param request all of it
 * @param status what the status of the answer begins with
 * @param least characters that the answer has with its head
 * @param completes whether a message has been posted and got after it
 */
record HttpCall(String request, String status, int least, boolean completes) {
  /** A POST. */
  static HttpCall post(String path, String headers, String body) {
    String request =
        "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n%s"
            .formatted(path, headers, body.length(), body);
    return new HttpCall(request, "20", 0, false);
  }

  /** A GET that is answered with a message. */
  static HttpCall get(String path) {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    return new HttpCall(request, "200", LoadPayload.BYTES, true);
  }

  /** The same, where a message has been posted and got with this one. */
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
