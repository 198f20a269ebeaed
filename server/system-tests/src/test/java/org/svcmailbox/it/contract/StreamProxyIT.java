package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.PortOffset;
import org.svcmailbox.test.process.Programs;

/** A stream through Debian's nginx and HAProxy, with the time limits that they come with. */
@Order(1)
@ContractTest
class StreamProxyIT {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

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
        "nginx-light",
        "nginx",
        "-p . -c",
        """
        daemon off;
        user root;
        pid nginx.pid;
        error_log error.log;
        events {}
        http {
          access_log off;
          client_body_temp_path body;
          proxy_temp_path proxy;
          fastcgi_temp_path fastcgi;
          uwsgi_temp_path uwsgi;
          scgi_temp_path scgi;
          server {
            listen 127.0.0.1:%1$d;
            location / {
              proxy_pass http://127.0.0.1:%2$d;
            }
          }
        }
        """),
    HAPROXY(
        "haproxy",
        "haproxy",
        "-db -f",
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

    private final String debianPackage;
    private final String program;
    private final String arguments;
    private final String configuration;

    Proxy(String debianPackage, String program, String arguments, String configuration) {
      this.debianPackage = debianPackage;
      this.program = program;
      this.arguments = arguments;
      this.configuration = configuration;
    }

    Process start(Path directory, int port, int serverPort) throws IOException {
      Path file = directory.resolve("proxy.conf");
      Files.writeString(file, configuration.formatted(port, serverPort));
      ProcessBuilder process =
          new ProcessBuilder(Programs.require(debianPackage, program).toString())
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("proxy.log").toFile());
      process.command().addAll(List.of(arguments.split(" ", -1)));
      process.command().add(file.toString());
      return process.start();
    }
  }

  private interface Use {
    void with(int port) throws IOException;
  }

  private void behind(Proxy proxy, Use use) throws Exception {
    int port = PortOffset.freePort();
    Process process = proxy.start(directory, port, server.target().server().getPort());
    try {
      Deadline.in(PATIENCE).await(() -> PortOffset.isListening(port), () -> "the proxy is not up");
      use.with(port);
    } finally {
      process.destroy();
      process.waitFor();
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
  void linesPassAsTheyCome(Proxy proxy) throws Exception {
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
  void anIdleStreamOutlastsTheProxysLimits(Proxy proxy) throws Exception {
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
