package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.MailboxConnectionException;
import org.svcmailbox.client.MailboxConnectionException.Outcome;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.it.client.ClientHello;
import org.svcmailbox.it.client.Framings;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.it.server.SharedServer;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.TestCertificate;

/** The server with a certificate: HTTPS instead of HTTP, on every address. */
@Order(1)
@ExtendWith(SharedServer.class)
@Tag("liberty")
class TlsIT {
  private static final String SECRET = "secret-of-TlsIT";

  /** With what a shell would like to replace. */
  private static final String PASSWORD = SECRET + " $HOME";

  /** The first request of a kind loads its classes. */
  private static final Duration SOON = Duration.ofSeconds(30);

  private static final int PLAIN = 8080;
  private static final int MANAGEMENT = 9990;

  /** An address of this machine that is not the one the server listens on by default. */
  private static final String SECOND = "127.0.0.2";

  private static TestCertificate certificate;
  private static MailboxServer server;

  @BeforeAll
  static void start() throws IOException {
    Path directory = Path.of("target", "it", "certificate");
    certificate = TestCertificate.in(directory, PASSWORD);
    Path passwordFile = Files.writeString(directory.resolve("password"), PASSWORD + "\n");
    // Both names are relative to where the server is started, which is here.
    server =
        MailboxServer.start(
            "tls",
            Map.of(
                "MAILBOX_TLS_KEYSTORE", certificate.keystore().toString(),
                "MAILBOX_TLS_PASSWORD_FILE", passwordFile.toString(),
                "MAILBOX_GRPC_ENABLED", "true"),
            certificate);
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void http1IsServedOverBothVersionsOfTls(String protocol) throws Exception {
    HttpResponse<String> response = get(server.uri(), Version.HTTP_1_1, protocol);
    assertEquals(200, response.statusCode());
    assertEquals(Version.HTTP_1_1, response.version());
    assertEquals(Optional.of(protocol), response.sslSession().map(SSLSession::getProtocol));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void grpcIsServedOverBothVersionsOfTls(String protocol) throws Exception {
    try (GrpcClient client = GrpcClient.over(server, certificate, protocol)) {
      Sent sent =
          client
              .mailbox()
              .send(SendRequest.newBuilder().setTopic("grpc").setIdemKey(protocol).build());
      assertFalse(sent.getDuplicate());
    }
  }

  @Test
  void http2IsNegotiatedOverTls12() throws Exception {
    HttpResponse<String> response = get(server.uri(), Version.HTTP_2, "TLSv1.2");
    assertEquals(200, response.statusCode());
    assertEquals(Version.HTTP_2, response.version());
    assertEquals(Optional.of("TLSv1.2"), response.sslSession().map(SSLSession::getProtocol));
  }

  /** A client that offers only TLS 1.3 is answered in HTTP/1.1: see docs/SECURITY.md. */
  @Test
  void http2IsNegotiatedOverTls13() throws Exception {
    HttpResponse<String> response = get(server.uri(), Version.HTTP_2, "TLSv1.3", "TLSv1.2");
    assertEquals(200, response.statusCode());
    assertEquals(Version.HTTP_2, response.version());
    assertEquals(Optional.of("TLSv1.3"), response.sslSession().map(SSLSession::getProtocol));
  }

  @Test
  @OnlyOnWildFly("requests are looked at before the server parses them (`framing`)")
  void ambiguousRequestsAreRefused() throws IOException {
    Framings.assertRefused(
        () ->
            RawConnection.over(
                certificate
                    .trusting()
                    .getSocketFactory()
                    .createSocket(server.uri().getHost(), server.uri().getPort())));
  }

  @Test
  @OnlyOnWildFly("requests are looked at before the server parses them (`framing`)")
  void largeHeadsOverHttp2LeaveTheConnectionAlone() throws Exception {
    HttpClient client = client(Version.HTTP_2, "TLSv1.2");
    for (int bytes : List.of(1, 60_000, 70_000, 300_000, 60_000)) {
      HttpRequest request =
          HttpRequest.newBuilder(server.uri().resolve("/readyz"))
              .timeout(SOON)
              .header("X-Large", "x".repeat(bytes))
              .build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      assertEquals(Version.HTTP_2, response.version());
      assertEquals(bytes > 64 << 10 ? 431 : 200, response.statusCode(), bytes + " bytes");
    }
  }

  /** A receive that is cancelled resets its stream, and the connection serves on. */
  @Test
  @OnlyOnWildFly("a client that hangs up ends its RECV (`disconnect`)")
  void aMailboxIsServedOverHttp2() throws Exception {
    HttpConnections connections = HttpConnections.builder().tls(certificate.trusting()).build();
    Duration lease = Duration.ofMinutes(1);
    Duration wait = Duration.ofSeconds(20);
    try (HttpMailbox<String, String> mailbox = mailbox().connections(connections).build()) {
      HttpMailbox<String, String> closed = mailbox().connections(connections).build();
      closed.send("apple");
      closed.receive(1, lease, wait).get(0).acknowledge();
      CountDownLatch begun = new CountDownLatch(1);
      CompletableFuture<List<?>> cancelled =
          CompletableFuture.supplyAsync(
              () -> {
                begun.countDown();
                return closed.receive(1, lease, wait);
              });
      assertTrue(begun.await(30, TimeUnit.SECONDS));
      assertThrows(TimeoutException.class, () -> cancelled.get(500, TimeUnit.MILLISECONDS));
      closed.close();
      assertEquals(List.of(), cancelled.get(10, TimeUnit.SECONDS));

      mailbox.send("pear");

      Message<String, String> next = mailbox.receive(1, lease, wait).get(0);
      assertEquals("pear", next.body());
      assertEquals(1, next.deliveryCount());
      next.acknowledge();
    }
  }

  /** The listener closes a connection on which nothing comes for a minute. */
  @Test
  @Tag("nightly")
  void anIdleStreamOverHttp2LastsOnItsOwnConnection() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(server.uri().resolve("/v1/recv/stream"))
            .header("Content-Type", "application/json")
            .header("Authorization", "Bearer " + server.target().token().get())
            .POST(BodyPublishers.ofString("{\"topic\": \"tls.idle\"}"))
            .build();
    HttpResponse<Stream<String>> response =
        client(Version.HTTP_2, "TLSv1.2").send(request, BodyHandlers.ofLines());
    assertEquals(Version.HTTP_2, response.version());
    // The first line, and one every 10 s.
    List<String> lines = response.body().limit(14).toList();
    assertEquals(14, lines.size());
    assertTrue(lines.get(13).startsWith("{\"type\":\"heartbeat\""), lines::toString);
  }

  /** At once: it would be refused again until the time of the call is over. */
  @Test
  @Timeout(30)
  void aMailboxRefusesACertificateThatItDoesNotTrust() {
    try (HttpMailbox<String, String> mailbox =
        mailbox().sendTimeout(Duration.ofMinutes(1)).build()) {
      MailboxConnectionException refused =
          assertThrows(MailboxConnectionException.class, () -> mailbox.send("apple"));
      assertEquals(Outcome.NOT_DONE, refused.outcome());
      assertInstanceOf(SSLHandshakeException.class, refused.getCause());
    }
  }

  private static HttpMailbox.Builder<String, String> mailbox() {
    TokenSource operator = TokenSource.file(server.operatorFile());
    return HttpMailbox.builder(server.uri(), operator, "tls", Codecs.utf8(), Codecs.utf8());
  }

  private static HttpResponse<String> get(URI uri, Version version, String... protocols)
      throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(uri.resolve("/readyz")).timeout(SOON).build();
    return client(version, protocols).send(request, BodyHandlers.ofString());
  }

  private static HttpClient client(Version version, String... protocols) {
    return HttpClient.newBuilder()
        .version(version)
        .sslContext(certificate.trusting())
        .sslParameters(new SSLParameters(null, protocols))
        .connectTimeout(SOON)
        .build();
  }

  @Test
  void theConsolesCookieTravelsByTlsOnly() throws Exception {
    Path file = server.data().resolve("mailbox/console.password");
    String password = URLEncoder.encode(Files.readString(file).strip(), UTF_8);
    HttpRequest request =
        HttpRequest.newBuilder(server.uri().resolve("/console/signin"))
            .timeout(SOON)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .header("Origin", server.uri().toString())
            .POST(BodyPublishers.ofString("user=admin&password=" + password))
            .build();
    HttpResponse<String> response =
        client(Version.HTTP_2, "TLSv1.3", "TLSv1.2").send(request, BodyHandlers.ofString());
    assertEquals(303, response.statusCode(), response::body);
    String cookie = response.headers().firstValue("Set-Cookie").orElse("");
    assertTrue(cookie.startsWith("__Secure-mailbox_console="), cookie);
    assertTrue(cookie.endsWith("; Path=/console; HttpOnly; SameSite=Strict; Secure"), cookie);
    assertEquals(
        "max-age=31536000",
        response.headers().firstValue("Strict-Transport-Security").orElse("none"));
  }

  @Test
  @OnlyOnWildFly("a handshake before TLS 1.2 is refused with an alert")
  void whatCameBeforeTls12IsRefused() throws IOException {
    ClientHello.Reply tls12 = new ClientHello(3).sendTo(server.uri());
    assertEquals(ClientHello.HANDSHAKE, tls12.type(), tls12::toString);
    assertEquals(ClientHello.SERVER_HELLO, tls12.detail(), tls12::toString);
    ClientHello.Reply refused =
        new ClientHello.Reply(ClientHello.ALERT, ClientHello.FATAL, ClientHello.PROTOCOL_VERSION);
    assertEquals(refused, new ClientHello(2).sendTo(server.uri()), "TLS 1.1");
    assertEquals(refused, new ClientHello(1).sendTo(server.uri()), "TLS 1.0");
  }

  @Test
  void whatCameBeforeTls12IsRefusedByTheGrpcDoorToo() throws IOException {
    URI door = URI.create("https://127.0.0.1:" + server.port(GrpcClient.PORT));
    assertEquals(ClientHello.HANDSHAKE, new ClientHello(3).sendTo(door).type());
    ClientHello.Reply refused =
        new ClientHello.Reply(ClientHello.ALERT, ClientHello.FATAL, ClientHello.PROTOCOL_VERSION);
    assertEquals(refused, new ClientHello(2).sendTo(door), "TLS 1.1");
    assertEquals(refused, new ClientHello(1).sendTo(door), "TLS 1.0");
  }

  @Test
  void nobodyListensOnThePlainPort(MailboxServer plain) {
    assertListens("127.0.0.1", plain.port(PLAIN));
    assertDoesNotListen("127.0.0.1", server.port(PLAIN));
    assertDoesNotListen(SECOND, server.port(PLAIN));
  }

  @Test
  void everyAddressIsListenedOnAndWithoutACertificateOnlyLoopback(MailboxServer plain)
      throws Exception {
    URI second = URI.create("https://" + SECOND + ":" + server.uri().getPort());
    assertEquals(200, get(second, Version.HTTP_1_1, "TLSv1.3").statusCode());
    assertDoesNotListen(SECOND, plain.uri().getPort());
  }

  @Test
  @OnlyOnWildFly("the administrator has a port, on loopback")
  void theManagementStaysOnLoopback() {
    assertListens("127.0.0.1", server.port(MANAGEMENT));
    assertDoesNotListen(SECOND, server.port(MANAGEMENT));
  }

  private static void assertListens(String address, int port) {
    try (Socket socket = new Socket(address, port)) {
      assertTrue(socket.isConnected());
    } catch (IOException e) {
      throw new AssertionError(address + " " + port, e);
    }
  }

  private static void assertDoesNotListen(String address, int port) {
    assertThrows(
        ConnectException.class,
        () -> new Socket(address, port).close(),
        () -> address + " " + port);
  }

  @Test
  void thePasswordIsOnNoCommandLineAndInNoLog() throws IOException {
    List<String> commands =
        ProcessHandle.current()
            .descendants()
            .flatMap(process -> process.info().commandLine().stream())
            .toList();
    String started = server.directory().toString();
    assertTrue(commands.stream().anyMatch(line -> line.contains(started)), commands::toString);
    assertFalse(commands.stream().anyMatch(line -> line.contains(SECRET)), commands::toString);
    for (Path file : List.of(server.output(), server.log())) {
      String text = Files.readString(file);
      assertTrue(text.contains("console.password"), () -> "nothing of this server is in " + file);
      assertFalse(text.contains(SECRET), file::toString);
    }
  }

  @Test
  void aWrongPasswordIsSaidInOneLineAndTheServerEnds() {
    assertDoesNotStart(
        "keystore password was incorrect",
        Map.of(
            "MAILBOX_TLS_KEYSTORE",
            certificate.keystore().toString(),
            "MAILBOX_TLS_PASSWORD",
            "another password"));
  }

  @Test
  void aMissingKeystoreIsSaidInOneLineAndTheServerEnds() {
    Path missing = certificate.keystore().resolveSibling("missing.p12");
    assertDoesNotStart(
        "Keystore file does not exist",
        Map.of("MAILBOX_TLS_KEYSTORE", missing.toString(), "MAILBOX_TLS_PASSWORD", PASSWORD));
    assertFalse(Files.exists(missing), "it made one itself");
  }

  @Test
  void aKeystoreWithoutAPasswordIsSaidInOneLineAndTheServerEnds() {
    assertDoesNotStart(
        "needs MAILBOX_TLS_PASSWORD",
        Map.of("MAILBOX_TLS_KEYSTORE", certificate.keystore().toString()));
  }

  @Test
  void aPasswordThatTheServerWouldReadAsAnExpressionIsSaidInOneLineAndTheServerEnds() {
    assertDoesNotStart(
        "must not contain",
        Map.of(
            "MAILBOX_TLS_KEYSTORE",
            certificate.keystore().toString(),
            "MAILBOX_TLS_PASSWORD",
            "${user.home}"));
  }

  private static void assertDoesNotStart(String why, Map<String, String> settings) {
    AssertionError failure =
        assertThrows(
            AssertionError.class, () -> MailboxServer.start("no-tls", settings, certificate));
    List<String> lines = String.valueOf(failure.getMessage()).lines().toList();
    assertEquals(2, lines.size(), lines::toString);
    assertEquals("the server ended while starting", lines.get(0));
    assertTrue(
        lines.get(1).startsWith("mailbox: MAILBOX_TLS_KEYSTORE") && lines.get(1).contains(why),
        lines.get(1));
  }

  /** They are written down twice, in standalone.xml and in tls.yaml. */
  @Test
  @OnlyOnWildFly("the limits of HTTP and of HTTPS are written twice")
  void theLimitsAreThoseOfThePlainListener() throws IOException {
    Path configuration =
        Path.of(System.getProperty("mailbox.server.home"), "standalone", "configuration");
    String plain = Files.readString(configuration.resolve("standalone.xml"));
    String listener =
        only("<http-listener name=\"default\" socket-binding=\"http\" ([^>]*)/>", plain);
    List<String> attributes =
        Pattern.compile("([a-z0-9-]+)=\"([^\"]*)\"")
            .matcher(listener)
            .results()
            .map(attribute -> attribute.group(1) + ": " + attribute.group(2))
            .sorted()
            .toList();
    String tls = Files.readString(configuration.resolve("tls.yaml"));
    List<String> entries =
        only("(?s)https-listener:\\s+https:\\s+(.*)", tls)
            .lines()
            .map(String::strip)
            .filter(line -> !line.startsWith("socket-binding:") && !line.startsWith("ssl-context:"))
            .sorted()
            .toList();
    assertEquals(11, attributes.size(), attributes::toString);
    // In the clear there is no HTTP/2; over TLS the client chooses.
    assertEquals(
        attributes.stream().map(one -> one.replace("http2: false", "http2: true")).toList(),
        entries);
  }

  private static String only(String pattern, String text) {
    List<String> found =
        Pattern.compile(pattern).matcher(text).results().map(TlsIT::firstGroup).toList();
    assertEquals(1, found.size(), pattern);
    return found.get(0);
  }

  private static String firstGroup(MatchResult match) {
    return match.group(1);
  }
}
