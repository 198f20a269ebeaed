package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.ProxyProcess;
import org.svcmailbox.it.server.ProxyProcess.Kind;

/** A stream through Debian's nginx and HAProxy, with the time limits that they come with. */
@Order(1)
@ContractTest
class StreamProxyIT {
  /** Much less than a heartbeat, and more than a busy machine takes. */
  private static final Duration PROMPT = Duration.ofSeconds(5);

  private static final Duration IDLE = Duration.ofMinutes(5);

  private final MailboxServer server;
  private final MailboxClient client;
  private final String topic = TestTopics.fresh("proxy");

  @TempDir private Path directory;

  StreamProxyIT(MailboxServer server, MailboxClient client) {
    this.server = server;
    this.client = client;
  }

  private enum Proxy {
    NGINX(
        Kind.NGINX,
        """
        listen 127.0.0.1:%1$d;
        location / {
          proxy_pass http://127.0.0.1:%2$d;
        }
        """),
    HAPROXY(
        Kind.HAPROXY,
        """
        defaults
          mode http
          timeout connect 5000
          timeout client 50000
          timeout server 50000
        frontend front
          bind 127.0.0.1:%1$d
          default_backend mailbox
        backend mailbox
          server mailbox 127.0.0.1:%2$d
        """);

    private final Kind kind;
    private final String configuration;

    Proxy(Kind kind, String configuration) {
      this.kind = kind;
      this.configuration = configuration;
    }
  }

  private interface Use {
    void with(int port) throws IOException;
  }

  private void behind(Proxy proxy, Use use) throws IOException {
    int serverPort = server.target().server().getPort();
    try (ProxyProcess process =
        ProxyProcess.start(
            proxy.kind, directory, port -> proxy.configuration.formatted(port, serverPort))) {
      use.with(process.port());
    }
  }

  private MessageStream open(int port) throws IOException {
    MessageStream stream =
        MessageStream.open(
            server.target(), port, Fields.of("topic", topic).with("visibility_ms", 60_000));
    assertEquals(200, stream.status());
    stream.next("open");
    return stream;
  }

  private void assertPrompt(MessageStream stream, int number) throws IOException {
    byte[] payload = {(byte) number};
    client.send(topic, "key" + number, payload).expect(200);
    long sent = System.nanoTime();
    Message message = stream.messages(1).get(0);
    Duration late = Duration.ofNanos(System.nanoTime() - sent);
    assertTrue(late.compareTo(PROMPT) < 0, late::toString);
    assertArrayEquals(payload, message.payload());
    client.ack(message).expect(200);
  }

  @ParameterizedTest
  @EnumSource
  void linesPassAsTheyCome(Proxy proxy) throws IOException {
    behind(
        proxy,
        port -> {
          try (MessageStream stream = open(port)) {
            assertPrompt(stream, 1);
            JsonNode line = stream.next();
            assertNotNull(line);
            assertEquals("heartbeat", line.path("type").asText());
            assertPrompt(stream, 2);
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  @Tag("nightly")
  void anIdleStreamOutlastsTheProxysLimits(Proxy proxy) throws IOException {
    behind(
        proxy,
        port -> {
          try (MessageStream stream = open(port)) {
            long until = System.nanoTime() + IDLE.toNanos();
            while (System.nanoTime() - until < 0) {
              JsonNode line = stream.next();
              assertNotNull(line, "the proxy has ended the stream");
              assertEquals("heartbeat", line.path("type").asText());
            }
            assertPrompt(stream, 1);
          }
        });
  }
}
