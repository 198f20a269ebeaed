package org.svcmailbox.undertow.intake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
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

  /** So long that {@link #MANY} are more than the memory and the waiters. */
  private static final int MANY_FILL_IT = 1 << 20;

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
    skipHead(client);
    assertArrayEquals(DoorServlet.answer(bytes), client.bytes(bytes));
  }

  private static void skipHead(RawConnection client) throws IOException {
    assertEquals("HTTP/1.1 200 OK", client.line());
    while (!client.line().isEmpty()) {
      // Headers.
    }
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
  void ofLongAnswersFewWaitAndTheOthersEnd() throws Exception {
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
        if (isServed(client, (int) HeldAnswer.MOST * 2)) {
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

  @Test
  void clientsThatReadAreServedWhileOthersHoldAllMemory() throws Exception {
    try (IntakeServer server = server()) {
      for (int i = 0; i < MANY; i++) {
        RawConnection unused = stall(server, MANY_FILL_IT);
      }
      Deadline.in(PATIENCE)
          .await(
              () ->
                  server.door().served() + server.door().inside() == MANY
                      && server.count("answer_bytes") + MANY_FILL_IT > HeldAnswer.BUDGET,
              () -> server.count("answer_bytes") + " bytes are held");
      for (int i = 0; i < 5; i++) {
        readWhole(stall(server, MANY_FILL_IT), MANY_FILL_IT);
      }
      assertTrue(server.count("answer_bytes") <= HeldAnswer.BUDGET);
    }
  }

  @Test
  void theClientThatIsFurthestBehindIsCut() throws Exception {
    int most = (int) HeldAnswer.MOST;
    int all = (int) (HeldAnswer.BUDGET / HeldAnswer.MOST);
    int part = most / all / 2;
    try (IntakeServer server = server()) {
      // It came first, and takes some whenever another one comes.
      RawConnection reader = stall(server, most);
      skipHead(reader);
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      for (int i = 1; i <= 2 * all; i++) {
        read.writeBytes(reader.bytes(part));
        RawConnection unused = stall(server, most);
        int begun = i;
        Deadline.in(PATIENCE)
            .await(
                () -> server.door().served() > begun - HeldAnswer.WAITERS, () -> begun + " stay");
      }
      read.writeBytes(reader.bytes(most - read.size()));
      assertArrayEquals(DoorServlet.answer(most), read.toByteArray());
      assertTrue(server.count("rejected.answer_bytes") > 0);
      // The kernel takes more of some answers than of others, so it need not be the earliest.
      assertTrue(clients.stream().skip(1).anyMatch(client -> !isServed(client, most)));
    }
  }

  private static boolean isServed(RawConnection client, int bytes) {
    try {
      readWhole(client, bytes);
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
