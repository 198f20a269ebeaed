package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.net.RawConnection;

/** Clients that are refused, and then neither send the rest nor close. */
class WithheldSourceTest {
  /** More than the server has threads. */
  private static final int MANY = 80;

  private static final int MAX_BODY = 1 << 16;
  private static final String CLOSE = "Connection: close";
  private static final String GOOD = "Authorization: Bearer good";

  private static final Map<String, String> HEADS =
      Map.of(
          "declared", RawConnection.head("/", RawConnection.length(1L << 40), GOOD),
          "declared, last", RawConnection.head("/", RawConnection.length(1L << 40), GOOD, CLOSE),
          "declared, 1.0",
              RawConnection.head("/", RawConnection.length(1L << 40), GOOD)
                  .replace("HTTP/1.1", "HTTP/1.0"),
          "chunked, last",
              RawConnection.head("/", "Transfer-Encoding: chunked", GOOD, CLOSE)
                  + "1000000\r\n"
                  + RawConnection.body(MAX_BODY + 1),
          "stranger", RawConnection.head("/", RawConnection.length(4)),
          "stranger, last", RawConnection.head("/", RawConnection.length(4), CLOSE),
          "stranger, chunked, last",
              RawConnection.head("/", "Transfer-Encoding: chunked", CLOSE) + "4\r\n");

  private static IntakeServer start() throws Exception {
    return IntakeServer.with()
        .maxBody(MAX_BODY)
        .readTimeout(Duration.ofMinutes(5))
        .owners((path, header) -> header, (path, header) -> header)
        .start();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "declared",
        "declared, last",
        "declared, 1.0",
        "chunked, last",
        "stranger",
        "stranger, last",
        "stranger, chunked, last"
      })
  void noThreadWaitsForTheRestOfARefusedBody(String head) throws Exception {
    List<RawConnection> silent = new ArrayList<>();
    try (IntakeServer server = start()) {
      for (int i = 0; i < MANY; i++) {
        RawConnection client = RawConnection.to(server.address());
        silent.add(client);
        client.send(Objects.requireNonNull(HEADS.get(head)));
        String status = client.line();
        assertTrue(status.contains(head.startsWith("stranger") ? " 401 " : " 413 "), status);
      }
      try (RawConnection client = RawConnection.to(server.address())) {
        client.send(RawConnection.head("/", RawConnection.length(4), GOOD) + "body");
        assertEquals(200, client.receive().status());
      }
    } finally {
      for (RawConnection client : silent) {
        client.close();
      }
    }
  }

  /** It finds the answer, and no reset, however much it sends. */
  @Test
  void aClientThatGoesOnSendingFindsItsAnswer() throws Exception {
    String part = RawConnection.body(1 << 20);
    try (IntakeServer server = start();
        RawConnection client = RawConnection.to(server.address())) {
      client.send(RawConnection.head("/", RawConnection.length(20L << 20), GOOD, CLOSE));
      for (int i = 0; i < 20; i++) {
        client.send(part);
      }
      assertEquals(413, client.receive().status());
      assertTrue(client.isEnded());
      client.hangUp();
      server.await("connections", 0);
    }
  }
}
