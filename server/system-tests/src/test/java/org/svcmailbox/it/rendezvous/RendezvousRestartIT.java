package org.svcmailbox.it.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.RawConnection.Response;
import org.svcmailbox.test.net.TestCertificate;

/** The rendezvous door of one server that carries many waiters, stops, and comes back with TLS. */
@Tag("nightly")
class RendezvousRestartIT {
  private static final int WAITERS = 10_000;
  private static final int MAILBOXES = 1_000;
  private static final Duration PATIENCE = Duration.ofSeconds(45);

  @Test
  void aDoorCarriesManyWaitersDrainsForgetsAndComesBackWithTls() throws Exception {
    Map<String, String> settings =
        Map.of(
            // All waiters come from one address.
            "MAILBOX_TRUSTED_PROXIES", "127.0.0.1/32",
            "MAILBOX_RENDEZVOUS_ENABLED", "true",
            "MAILBOX_RENDEZVOUS_AUTH_MODE", "disabled",
            "MAILBOX_RENDEZVOUS_ALLOW", "127.0.0.1/32",
            "MAILBOX_RENDEZVOUS_GRACEFUL_SHUTDOWN_TIMEOUT", "5s");
    try (MailboxServer server = MailboxServer.start("rendezvous", settings)) {
      DoorClient door = DoorClient.of(server);
      manyWaitersHoldNoThread(server, door);
      long last = drain(server, door);
      comeBackWithTls(server);
      forgotten(server, last);
    }
  }

  private static void manyWaitersHoldNoThread(MailboxServer server, DoorClient door)
      throws IOException {
    door.get(DoorClient.mailbox("first")).expect(204);
    long before = server.threads("");
    try (ManyWaiters waiters =
        new ManyWaiters(
            door.address(),
            WAITERS,
            number -> door.request("GET", mailbox(number) + "?wait_ms=55000", ""))) {
      Deadline.in(PATIENCE)
          .await(() -> door.metric("waiting_requests") == WAITERS, () -> "the waiters");
      // The eight task threads come with the first requests; other threads of the server come and
      // go.
      assertTrue(server.threads("") < before + 20, () -> before + " and " + server.threads(""));
      door.get("/health").expect(503);
      for (int number = 0; number < MAILBOXES; number++) {
        door.post(mailbox(number), "x").expect(202);
      }
      waiters.awaitAnswers(MAILBOXES, PATIENCE);
    }
    Deadline.in(PATIENCE).await(() -> door.metric("waiting_requests") == 0, () -> "their end");
    door.get("/health").expect(200);
  }

  private static String mailbox(int number) {
    return DoorClient.mailbox("waiters " + number % MAILBOXES);
  }

  /** Returns the sequence of the last message that was taken. */
  private static long drain(MailboxServer server, DoorClient door) throws Exception {
    String mailbox = DoorClient.mailbox("drained");
    for (String body : List.of("taken", "lost", "lost too")) {
      door.post(mailbox, body).expect(202);
    }
    long sequence;
    try (RawConnection waiting = door.waiting(DoorClient.mailbox("waiting"), 50_000)) {
      Deadline.in(PATIENCE).await(() -> door.metric("waiting_requests") == 1, () -> "the waiter");
      CompletableFuture<Integer> exit = CompletableFuture.supplyAsync(server::terminate);
      Response refused = waiting.receive().expect(503);
      assertTrue(Integer.parseInt(refused.header("retry-after")) >= 1);
      assertTrue(door.get("/health").expect(503).body().contains("\"stopping\""));
      door.post(mailbox, "late").expect(503);
      door.call("GET", mailbox + "?wait_ms=1000", "").expect(503);
      Response taken = door.get(mailbox).expect(200);
      assertEquals("taken", taken.body());
      sequence = Long.parseLong(taken.header("x-message-sequence"));
      assertEquals(0, exit.get());
    }
    List<String> lines =
        server.outputLines().stream().filter(line -> line.contains("rendezvous")).toList();
    assertEquals(
        1,
        lines.stream().filter(line -> line.matches(".*\\b2\\b.*lost.*|.*lost.*\\b2\\b.*")).count(),
        lines::toString);
    return sequence;
  }

  private static void comeBackWithTls(MailboxServer server) throws Exception {
    TestCertificate certificate =
        TestCertificate.in(server.directory().resolve("certificate"), "a password");
    server.set("MAILBOX_RENDEZVOUS_TLS_CERT_PATH", certificate.certificatePem().toString());
    server.set("MAILBOX_RENDEZVOUS_TLS_KEY_PATH", certificate.keyPem().toString());
    server.set("MAILBOX_RENDEZVOUS_TLS_MIN_VERSION", "1.3");
    server.restart();
    assertThrows(SSLException.class, () -> connect(server, certificate, "TLSv1.2").close());
    try (RawConnection client = RawConnection.over(connect(server, certificate, "TLSv1.3"))) {
      DoorClient door = DoorClient.of(server);
      client.send(door.request("GET", DoorClient.mailbox("drained"), "")).receive().expect(204);
    }
    Path keystore = server.data().resolve("mailbox/rendezvous.p12");
    assertEquals(
        PosixFilePermissions.fromString("rw-------"), Files.getPosixFilePermissions(keystore));
  }

  private static Socket connect(MailboxServer server, TestCertificate certificate, String version)
      throws IOException {
    SSLSocket socket =
        (SSLSocket)
            certificate
                .trusting()
                .getSocketFactory()
                .createSocket("127.0.0.1", server.port(OpenDoor.PORT));
    socket.setEnabledProtocols(new String[] {version});
    socket.startHandshake();
    return socket;
  }

  /** A message of before is gone, and its sequence is not used again. */
  private static void forgotten(MailboxServer server, long last) throws Exception {
    TestCertificate certificate =
        new TestCertificate(server.directory().resolve("certificate/key.p12"), "a password");
    String mailbox = DoorClient.mailbox("drained");
    DoorClient door = DoorClient.of(server);
    try (RawConnection client = RawConnection.over(connect(server, certificate, "TLSv1.3"))) {
      client.send(door.request("POST", mailbox, "again")).receive().expect(202);
      Response again = client.send(door.request("GET", mailbox, "")).receive().expect(200);
      assertTrue(Long.parseLong(again.header("x-message-sequence")) > last);
    }
  }
}
