package org.svcmailbox.ejb.link;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.net.TestCertificate;

/** Reasons that a connection tells. {@link OutsideBrokerTest} has those of sessions. */
final class ConnectionProbeTest {
  @TempDir private Path directory;

  private static String reason(Map<String, String> settings) {
    BrokerAccess access = GuardedArtemis.access(settings);
    return new ConnectionProbe(access.locator().getStaticTransportConfigurations()[0]).reason();
  }

  private TestCertificate certificate() throws Exception {
    return TestCertificate.in(directory.resolve("certificate"), "canary-2");
  }

  private static String at(int port) {
    return "127.0.0.1:" + port + " (mailbox.broker.url) ";
  }

  @Test
  void aBrokerWithoutTlsDoesNotAnswerAHandshake() throws Exception {
    try (GuardedArtemis broker = new GuardedArtemis(0, "")) {
      assertEquals(
          at(broker.port()) + "does not answer; if it has no TLS, remove sslEnabled=true",
          reason(GuardedArtemis.settings(broker.port(), certificate().certificatePem())));
    }
  }

  @Test
  void aBrokerWithTlsDoesNotAnswerWithout() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      assertEquals(
          at(silent.getLocalPort()) + "does not answer; if it has TLS, add sslEnabled=true",
          reason(GuardedArtemis.settings("tcp://127.0.0.1:" + silent.getLocalPort())));
    }
  }

  @Test
  void anotherServerFailsTheHandshake() throws Exception {
    try (ServerSocket other = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> answer(other));
      String reason =
          reason(GuardedArtemis.settings(other.getLocalPort(), certificate().certificatePem()));
      answering.join();
      assertTrue(reason.startsWith(at(other.getLocalPort()) + "fails the TLS handshake: "), reason);
    }
  }

  private static void answer(ServerSocket server) {
    try (Socket socket = server.accept()) {
      socket.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(US_ASCII));
      socket.getInputStream().readAllBytes();
    } catch (IOException e) {
      // The probe ends the connection in one way or another.
    }
  }

  @Test
  void aTrustStoreNeedsACertificate() throws Exception {
    TestCertificate shown = certificate();
    Path empty = Files.writeString(directory.resolve("empty.pem"), "no certificate\n");
    try (GuardedArtemis broker = new GuardedArtemis(0, GuardedArtemis.showing(shown))) {
      assertEquals(
          "mailbox.broker.trust_store cannot be used: no certificate in it",
          reason(GuardedArtemis.settings(broker.port(), empty)));
    }
  }
}
