package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.test.net.TestCertificate;

class GrpcTlsTest {
  @TempDir private Path directory;

  private static ScriptedDoor door(TestCertificate certificate)
      throws IOException, GeneralSecurityException {
    var chain = certificate.certificatePem().toFile();
    var key = certificate.keyPem().toFile();
    return new ScriptedDoor(builder -> builder.useTransportSecurity(chain, key));
  }

  private static URI at(String host, ScriptedDoor door) {
    return URI.create("https://" + host + ":" + door.port());
  }

  @Test
  void aServiceOfATrustedAuthorityIsCalled() throws Exception {
    TestCertificate certificate = TestCertificate.in(directory, "changeit");
    try (ScriptedDoor door = door(certificate);
        GrpcConnections connections =
            GrpcConnections.builder(at("127.0.0.1", door)).tls(certificate.trusting()).build();
        Mailbox<String, String> mailbox = GrpcFixture.builder(connections).build()) {
      mailbox.send("apple");
      assertEquals(1, door.requests.size());
    }
  }

  @Test
  void anotherAuthorityIsRefusedBeforeTheTokenIsSent() throws Exception {
    TestCertificate certificate = TestCertificate.in(directory, "changeit");
    try (ScriptedDoor door = door(certificate);
        GrpcConnections connections = GrpcConnections.builder(at("127.0.0.1", door)).build();
        Mailbox<String, String> mailbox = GrpcFixture.builder(connections).build()) {
      MailboxConnectionException refused =
          assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple"));
      assertEquals(Outcome.NOT_DONE, refused.outcome());
      assertTrue(refused.toString().contains("not trusted"), refused.toString());
      assertEquals(0, door.calls.size());
    }
  }
}
