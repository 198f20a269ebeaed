package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

@ContractTest
class HealthIT {
  private final MailboxServer server;
  private final MailboxClient client;

  HealthIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  @Test
  void theServerIsLiveAndReady() throws IOException {
    for (String path : List.of("/healthz", "/readyz")) {
      MailboxAnswer answer = client.get(path).expect(200);
      assertEquals("UP", answer.json().path("status").asText());
      assertTrue(answer.json().path("checks").isArray(), answer::text);
      for (JsonNode check : answer.json().path("checks")) {
        Instant since = Instant.parse(check.path("data").path("since").asText());
        assertTrue(!since.isAfter(Instant.now().plusSeconds(1)), answer::text);
      }
    }
  }

  /** The build checks the file; clients get the same bytes. */
  @Test
  void theOpenApiDocumentIsServedAsWritten() throws IOException {
    Path document = Path.of("../../web-module/src/main/resources/META-INF/openapi.yaml");
    assertEquals(Files.readString(document), client.get("/openapi").expect(200).text());
  }

  @Test
  void nobodyElseOnTheNetworkReachesADoorWithoutCapabilities() throws IOException {
    InetAddress outside =
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .filter(address -> !address.isLoopbackAddress() && !address.isLinkLocalAddress())
            .findFirst()
            .orElse(null);
    Assumptions.assumeTrue(outside != null, "this machine has no other address than loopback");
    assertThrows(ConnectException.class, () -> new Socket(outside, server.uri().getPort()).close());
  }
}
