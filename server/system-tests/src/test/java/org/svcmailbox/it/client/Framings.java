package org.svcmailbox.it.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.svcmailbox.test.net.RawConnection;

/** Requests that every listener refuses before anything else reads them. */
public final class Framings {
  private static final String HOST = "POST /v1/send HTTP/1.1\r\nHost: a\r\n";
  private static final int MOST_HEAD = 64 << 10;

  private static final List<Framing> ALL =
      List.of(
          new Framing(400, HOST + "\r\r\r"),
          new Framing(400, "POST /v1/send HTTP/1.1\r\n Host: a\r\n\r\n"),
          new Framing(400, HOST + " folded\r\n\r\n"),
          new Framing(400, HOST + "\n"),
          new Framing(400, HOST + "X: a\0\r\n\r\n"),
          new Framing(400, HOST + "Authorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n"),
          new Framing(400, HOST + "Transfer-Encoding:\r\n\r\n"),
          new Framing(
              400, HOST + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
          new Framing(400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
          new Framing(501, HOST + "Transfer-Encoding: gzip\r\n\r\n"),
          new Framing(431, HOST + "X: " + "x".repeat(MOST_HEAD) + "\r\n\r\n"),
          new Framing(431, HOST + "X: \r\n".repeat(200) + "\r\n"));

  private Framings() {}

  private record Framing(int status, String request) {}

  /** Makes connections to one listener. */
  public interface Listener {
    RawConnection connect() throws IOException;
  }

  /** Each is refused, and its connection ends. */
  public static void assertRefused(Listener listener) throws IOException {
    for (Framing framing : ALL) {
      try (RawConnection stranger = listener.connect()) {
        RawConnection.Response refusal = stranger.send(framing.request()).receive();
        assertEquals(framing.status(), refusal.status(), framing::request);
        assertEquals("application/problem+json", refusal.header("content-type"));
        assertTrue(stranger.isEnded(), framing::request);
      }
    }
  }
}
