package org.svcmailbox.undertow.intake;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.process.Programs;

/**
 * Debian's nginx and HAProxy in front of the server. They keep their connections to it, so that a
 * request that both read differently would give its rest to the next client.
 */
class ProxyFramingTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** How long a request may stay unanswered, because the proxy waits for its end. */
  private static final Duration UNANSWERED = Duration.ofMillis(300);

  private static final String SMUGGLED = "GET /?answer=7 HTTP/1.1\r\nHost: a\r\n\r\n";

  private static final String NGINX =
      """
      daemon off;
      user root;
      worker_processes 1;
      pid nginx.pid;
      error_log error.log;
      events { worker_connections 256; }
      http {
        access_log off;
        client_body_temp_path body;
        proxy_temp_path proxy;
        fastcgi_temp_path fastcgi;
        uwsgi_temp_path uwsgi;
        scgi_temp_path scgi;
        upstream door {
          server 127.0.0.1:%2$d;
          keepalive 1;
        }
        server {
          listen 127.0.0.1:%1$d;
          ignore_invalid_headers off;
          location / {
            proxy_pass http://door;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_request_buffering off;
          }
        }
      }
      """;

  private static final String HAPROXY =
      """
      defaults
        mode http
        timeout connect 5s
        timeout client 5s
        timeout server 5s
        http-reuse always
      frontend front
        bind 127.0.0.1:%1$d
        option accept-invalid-http-request
        default_backend door
      backend door
        server door 127.0.0.1:%2$d pool-max-conn 1
      """;

  @TempDir private Path directory;

  @Test
  void clientsBehindNginxGetTheirOwnAnswers() throws Exception {
    Path program = Programs.require("nginx-light", "nginx");
    String[] fields = IntStream.range(0, 250).mapToObj(i -> "X" + i + ": a").toArray(String[]::new);
    assertOwnAnswers(NGINX, List.of(program.toString(), "-p", directory.toString(), "-c"), fields);
  }

  @Test
  void clientsBehindHaproxyGetTheirOwnAnswers() throws Exception {
    Path program = Programs.require("haproxy", "haproxy");
    assertOwnAnswers(
        HAPROXY,
        List.of(program.toString(), "-db", "-f"),
        "Authorization: Bearer a",
        "Authorization: Bearer b");
  }

  private void assertOwnAnswers(String configuration, List<String> program, String... passedOn)
      throws Exception {
    try (IntakeServer server = IntakeServer.with().start().guarded()) {
      InetSocketAddress front = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
      Path file = directory.resolve("proxy.conf");
      Files.writeString(file, configuration.formatted(front.getPort(), server.address().getPort()));
      List<String> command = new ArrayList<>(program);
      command.add(file.toString());
      Process proxy =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("proxy.log").toFile())
              .start();
      try {
        Deadline.in(PATIENCE).await(() -> isUp(front), () -> "the proxy is not up");
        assertServerRefuses(front, passedOn);
        assertOwnAnswers(front);
      } finally {
        proxy.destroy();
        proxy.waitFor();
      }
    }
  }

  /** The proxy passes this one on as it is. */
  private static void assertServerRefuses(InetSocketAddress front, String[] fields)
      throws IOException {
    try (RawConnection client = RawConnection.to(front)) {
      RawConnection.Response refusal = client.send(RawConnection.head("/", fields)).receive();
      assertTrue(refusal.body().contains("\"code\":\"E_SCHEMA\""), refusal::body);
    }
  }

  private static void assertOwnAnswers(InetSocketAddress front) throws IOException {
    int number = 0;
    for (String request : FramingTest.bad().keySet()) {
      try (RawConnection hostile = RawConnection.to(front)) {
        sendAndWait(hostile, request + SMUGGLED + SMUGGLED);
      }
      for (int i = 0; i < 2; i++) {
        String body = "body " + number++;
        try (RawConnection honest = RawConnection.to(front)) {
          RawConnection.Response answer = honest.send(RawConnection.post("/", body)).receive();
          assertEquals(
              DoorServlet.seen(body.getBytes(ISO_8859_1)),
              answer.body(),
              () -> FramingTest.shown(request));
        }
      }
    }
  }

  private static void sendAndWait(RawConnection hostile, String request) {
    try {
      hostile.send(request).isSilentFor(UNANSWERED);
    } catch (IOException e) {
      // The proxy has ended the connection.
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static boolean isUp(InetSocketAddress address) {
    try (Socket socket = new Socket()) {
      socket.connect(address);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
