package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;

/** Answers that requests' own threads write, to clients that do not read. */
@Isolated("readers must be silent for less than the timeout")
class HeldAnswerTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** More than the server has threads. */
  private static final int MANY = 100;

  /** More than the sockets hold. */
  private static final int ANSWER = 512 << 10;

  private final List<RawConnection> clients = new ArrayList<>();

  @AfterEach
  void hangUp() throws IOException {
    for (RawConnection client : clients) {
      client.close();
    }
  }

  private static IntakeServer server() throws Exception {
    return IntakeServer.with().writeTimeout(PATIENCE).start();
  }

  private RawConnection stall(IntakeServer server, int bytes) throws IOException {
    RawConnection client = RawConnection.narrow(server.address());
    clients.add(client);
    return client.send(get(bytes));
  }

  private static String get(int bytes) {
    return RawConnection.get("/?answer=" + bytes);
  }

  private static void awaitInside(IntakeServer server, int wanted) {
    Deadline.in(PATIENCE)
        .await(() -> server.door().inside() == wanted, () -> server.door().inside() + " inside");
  }

  private static void readWhole(RawConnection client, int bytes) throws IOException {
    assertEquals("HTTP/1.1 200 OK", client.line());
    while (!client.line().isEmpty()) {
      // Headers.
    }
    assertArrayEquals(DoorServlet.answer(bytes), client.bytes(bytes));
  }

  @Test
  void clientsThatDoNotReadHoldNoThread() throws Exception {
    try (IntakeServer server = server()) {
      for (int i = 0; i < MANY; i++) {
        RawConnection unused = stall(server, ANSWER);
      }
      Deadline.in(PATIENCE)
          .await(
              () -> server.count("answer_bytes") > (long) MANY * ANSWER / 2,
              () -> server.count("answer_bytes") + " bytes are held");
      awaitInside(server, 0);
      RawConnection quick = RawConnection.to(server.address());
      clients.add(quick);
      readWhole(quick.send(get(10)), 10);
      for (RawConnection client : clients.subList(0, 5)) {
        readWhole(client, ANSWER);
        readWhole(client.send(get(ANSWER)), ANSWER);
      }
    }
  }

  @Test
  void whatIsHeldForAClientThatGoesIsFree() throws Exception {
    try (IntakeServer server = server()) {
      RawConnection client = stall(server, ANSWER);
      awaitInside(server, 0);
      Deadline.in(PATIENCE).await(() -> server.count("answer_bytes") > 0, () -> "nothing is held");
      client.hangUp();
      server.await("answer_bytes", 0);
      server.await("connections", 0);
    }
  }

  @Test
  void ofAnswersThatNobodyMayHoldFewWaitAndTheOthersEnd() throws Exception {
    int tooMany = 4;
    try (IntakeServer server = server()) {
      for (int i = 0; i < HeldAnswer.WAITERS + tooMany; i++) {
        RawConnection unused = stall(server, (int) HeldAnswer.MOST * 2);
      }
      server.await("rejected.answer_bytes", tooMany);
      awaitInside(server, HeldAnswer.WAITERS);
      server.await("connections", HeldAnswer.WAITERS);
      int read = 0;
      for (RawConnection client : clients) {
        if (isServed(client)) {
          read++;
        }
      }
      assertEquals(HeldAnswer.WAITERS, read);
      awaitInside(server, 0);
      server.await("answer_bytes", 0);
      assertTrue(stall(server, (int) HeldAnswer.MOST * 2).line().startsWith("HTTP/1.1 200"));
      awaitInside(server, 1);
    }
  }

  private static boolean isServed(RawConnection client) {
    try {
      readWhole(client, (int) HeldAnswer.MOST * 2);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void streamsThatDoNotReadHoldNoThread() throws Exception {
    try (IntakeServer server = server();
        Http2Wire client = new Http2Wire(server, 65_535)) {
      for (int i = 0; i < MANY; i++) {
        int unused = client.request(false, "/?answer=" + 100_000, true);
      }
      Deadline.in(PATIENCE).await(() -> server.count("answer_bytes") > 0, () -> "nothing is held");
      Deadline.in(PATIENCE)
          .await(() -> server.door().served() == MANY, () -> server.door().served() + " served");
      awaitInside(server, 0);
      client.hangUp();
      server.await("answer_bytes", 0);
    }
  }
}
