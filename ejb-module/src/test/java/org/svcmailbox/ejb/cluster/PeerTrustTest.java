package org.svcmailbox.ejb.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.PeerProbe;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.test.net.LoopbackHttp;
import org.svcmailbox.test.net.TestCertificate;

class PeerTrustTest {
  private static TestCertificate shown;

  @TempDir private Path directory;

  @BeforeAll
  static void make(@TempDir Path directory) {
    shown = TestCertificate.in(directory.resolve("shown"), "password");
  }

  private static MailboxSettings.Cluster trusting(Optional<Path> file) {
    return new MailboxSettings.Cluster(
        "a", URI.create("https://a"), 4, Duration.ofSeconds(20), Duration.ofSeconds(3), file);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("trusted.pem"), text);
  }

  private static PeerProbe.Answer probed(MailboxSettings.Cluster settings) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(shown.showing()));
    server.createContext(
        "/mail/readyz",
        exchange ->
            LoopbackHttp.answer(
                exchange, 200, "application/json", "{\"name\": \"database\", \"status\": \"UP\"}"));
    server.start();
    try {
      URI url = URI.create("https://127.0.0.1:" + server.getAddress().getPort() + "/mail/");
      NodeView peer = new NodeView(new NodeId("b"), url, true);
      return new HttpPeerProbe(PeerTrust.of(settings)).ask(peer);
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aNodeTrustsTheCertificatesOfItsFileAlone() throws Exception {
    String pem = Files.readString(shown.certificatePem());
    assertEquals(
        PeerProbe.Answer.DATABASE_UP, probed(trusting(Optional.of(file("peers:\n" + pem)))));
    assertEquals(PeerProbe.Answer.NONE, probed(trusting(Optional.empty())));
    TestCertificate other = TestCertificate.in(directory.resolve("other"), "password");
    assertEquals(PeerProbe.Answer.NONE, probed(trusting(Optional.of(other.certificatePem()))));
    assertEquals(
        PeerProbe.Answer.DATABASE_UP,
        probed(trusting(Optional.of(file(Files.readString(other.certificatePem()) + pem)))));
  }

  @Test
  void aFileThatCannotBeUsedIsRefused() throws IOException {
    assertEquals(List.of(), PeerTrust.violations(trusting(Optional.empty())));
    Path missing = directory.resolve("missing.pem");
    String setting = "mailbox.cluster.trust_store ";
    assertEquals(
        List.of(setting + missing + " cannot be read"),
        PeerTrust.violations(trusting(Optional.of(missing))));
    for (String text :
        List.of("", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----")) {
      Path file = file(text);
      assertEquals(
          List.of(setting + file + " has no certificate in it"),
          PeerTrust.violations(trusting(Optional.of(file))));
    }
  }
}
