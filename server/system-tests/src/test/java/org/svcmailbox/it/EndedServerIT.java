package org.svcmailbox.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxAnswer;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.Collector;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.WrittenFiles;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.PortOffset;

/**
 * The remains of a server that was used, misused and ended: its files, its log as JSON, its
 * answers, its exports. It has a planted root key, one address to listen on, and a collector within
 * reach that nobody told it to use.
 */
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EndedServerIT {
  private static final byte[] SECRET = "canary-canary-canary-canary-4711".getBytes(US_ASCII);
  private static final String ENCODED = Base64.getEncoder().encodeToString(SECRET);
  private static final String CORRELATION = "named-by-its-client";
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final List<String> LOG_FIELDS =
      List.of("timestamp", "level", "loggerName", "threadName", "message", "mdc");

  /** An address of this machine that is not the one the server listens on by default. */
  private static final String CHOSEN = "127.0.0.2";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Collector collector = Collector.start();
  private final MailboxServer server =
      MailboxServer.start(
          "ended",
          Map.of(
              "MAILBOX_CAPABILITY_ROOT_KEYS",
              "planted=" + ENCODED,
              "MAILBOX_LOG_FORMAT",
              "json",
              "MAILBOX_BIND",
              CHOSEN,
              "OTEL_EXPORTER_OTLP_ENDPOINT",
              collector.endpoint(),
              "OTEL_BSP_SCHEDULE_DELAY",
              "100"));
  private final MailboxClient operator = new MailboxClient(server.target());
  private final List<String> answers = new ArrayList<>();
  private List<JsonNode> started;
  private Set<String> listening;
  private String traceparent;
  private JsonNode minted;
  private int exitCode;
  private int exitCodeOfAnother;
  private Set<Path> emptied;

  @BeforeAll
  void useAndEnd() throws IOException {
    started = started();
    listening = listening();
    operator.withHeaders(Map.of("X-Correlation-Id", CORRELATION)).topic("x%20y").expect(400);
    operator
        .withHeaders(Map.of("traceparent", PARENT))
        .send("traced", "key", new byte[1])
        .expect(200);
    traceparent = operator.recv("traced").message().text("traceparent");
    minted = mint("ops = send").json();
    useAndMisuse(minted.path("capability").asText());
    Set<Path> temporary = temporary();
    try (MailboxServer another = server.another(Map.of("MAILBOX_BROKER_URL", "tcp://[::1]:1"))) {
      exitCodeOfAnother = another.awaitEnd();
    }
    temporary.removeAll(temporary());
    emptied = temporary;
    // Pending spans are exported before it ends.
    exitCode = server.terminate();
  }

  @AfterAll
  void close() {
    server.close();
    collector.close();
  }

  /** The files that the server unpacked at its start. */
  private Set<Path> temporary() throws IOException {
    try (Stream<Path> files = Files.find(server.data().resolve("tmp"), 4, (file, is) -> true)) {
      return files.collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private Set<String> listening() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String address : List.of("127.0.0.1", CHOSEN)) {
      for (int port : List.of(PortOffset.HTTP, PortOffset.MANAGEMENT)) {
        try (Socket socket = new Socket(address, server.port(port))) {
          found.add(socket.getInetAddress().getHostAddress() + " " + port);
        } catch (ConnectException e) {
          // The port has no listener.
        }
      }
    }
    return found;
  }

  private MailboxAnswer mint(String... caveats) throws IOException {
    Fields request = Fields.of("caveats", List.of(caveats)).with("expires_in", "1h");
    return operator.post("/v1/capabilities", request).expect(201);
  }

  /** Everything that may make a server talk. */
  private void useAndMisuse(String token) throws IOException {
    MailboxClient client = operator.with(token);
    keep(client.send("topic", "key", new byte[10]), 200);
    keep(client.recv("topic"), 403);
    keep(client.post("/v1/send", "{" + token), 400);
    // Told back to the one who said it, and to nobody else.
    client.post("/v1/send", Fields.of(token, token)).expect(400);
    client.get("/v1/topics/" + token).expect(403);
    keep(operator.with(token + "A").topics(), 401);
    keep(operator.with(ENCODED).topics(), 401);
    keep(operator.get("/openapi"), 200);
    keep(operator.get("/readyz"), 200);
    keep(operator.topics(), 200);
    keep(operator.post("/v1/capabilities/revoke", Fields.of("capability", token)), 200);
    keep(client.send("topic", "key", new byte[10]), 401);
    keep(operator.post("/v1/capabilities/revoke", Fields.of("capability", token + "A")), 400);
    keep(operator.post("/v1/capabilities/rotate", Fields.NONE), 200);
    String next = mint().json().path("capability").asText();
    MailboxClient renewed = new MailboxClient(new CallTarget(server.uri(), next));
    keep(renewed.post("/v1/capabilities/revoke", Fields.of("key_id", "planted")), 200);
    keep(operator.topics(), 401);
  }

  private void keep(MailboxAnswer answer, int expected) {
    answers.add(answer.expect(expected).text());
  }

  @Test
  void itEndedInOrder() {
    assertEquals(0, exitCode);
  }

  /** With other settings, so that no file of broker or database is in its way. */
  @Test
  void anotherServerOnItsDirectoryWasRefused() {
    assertEquals(75, exitCodeOfAnother);
    assertEquals(Set.of(), emptied);
  }

  /** The search finds text that is not secret, so it works. */
  @Test
  void neitherKeysNorCapabilitiesAreWrittenOrAnswered() throws Exception {
    assertEquals("planted", minted.path("key_id").asText());
    WrittenFiles written =
        new WrittenFiles().below(server.directory(), file -> !file.equals(server.operatorFile()));
    for (Map.Entry<String, byte[]> secret :
        secrets(minted.path("capability").asText()).entrySet()) {
      String text = new String(secret.getValue(), ISO_8859_1);
      assertEquals(Set.of(), written.holding(List.of(text)), secret.getKey() + " is written");
      assertTrue(
          answers.stream().noneMatch(answer -> answer.contains(text)),
          secret.getKey() + " is answered");
    }
    assertFound(written, "planted", "the key's id");
    assertFound(written, minted.path("nonce").asText(), "the capability's nonce");
    assertEquals("rw-------", permissions(server.operatorFile()));
    assertEquals("rwx------", permissions(server.data().resolve("mailbox")));
  }

  /** Secrets, in each form in which they could appear. */
  private static Map<String, byte[]> secrets(String token) throws GeneralSecurityException {
    byte[] derived = hmac("macaroons-key-generator".getBytes(US_ASCII), SECRET);
    byte[] signature = Base64.getUrlDecoder().decode(token);
    Map<String, byte[]> secrets = new TreeMap<>();
    secrets.put("the root key", SECRET);
    secrets.put("the root key in base64", ENCODED.getBytes(US_ASCII));
    secrets.put("the root key in hex", HexFormat.of().formatHex(SECRET).getBytes(US_ASCII));
    secrets.put("the derived key", derived);
    secrets.put("the derived key in hex", HexFormat.of().formatHex(derived).getBytes(US_ASCII));
    secrets.put("the capability's end", token.substring(token.length() - 30).getBytes(US_ASCII));
    secrets.put(
        "its signature", Arrays.copyOfRange(signature, signature.length - 32, signature.length));
    return secrets;
  }

  private static byte[] hmac(byte[] key, byte[] message) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(message);
  }

  private static void assertFound(WrittenFiles written, String text, String what)
      throws IOException {
    assertFalse(written.holding(List.of(text)).isEmpty(), what + " is nowhere");
  }

  private static String permissions(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void everyLineOfTheLogIsAnObjectThatNamesItsRequest() throws IOException {
    List<JsonNode> lines = parsed(Files.readAllLines(server.log()));
    lines.forEach(
        line -> LOG_FIELDS.forEach(field -> assertTrue(line.hasNonNull(field), line.toString())));
    List<JsonNode> named =
        lines.stream()
            .filter(line -> line.path("mdc").path("corr_id").asText().equals(CORRELATION))
            .toList();
    assertEquals(1, named.size(), named::toString);
    JsonNode refusal = named.get(0);
    assertEquals("INFO", refusal.path("level").asText());
    assertTrue(refusal.path("message").asText().contains(" 400 E_SCHEMA"), refusal.toString());
    // The console has the same lines, between those of the start script.
    assertEquals(lines.size(), console().size());
  }

  /** The console's lines of the start, once the last one is there. */
  private List<JsonNode> started() throws IOException {
    Deadline.in(Duration.ofSeconds(30))
        .await(
            () -> server.outputLines().stream().anyMatch(line -> line.contains("\"Capability: ")),
            () -> String.join("\n", server.outputLines()));
    return console();
  }

  private List<JsonNode> console() throws IOException {
    return parsed(server.outputLines().stream().filter(line -> line.startsWith("{")).toList());
  }

  @Test
  void aHealthyStartWarnsOfNothingAndEndsWithItsAddressAndTheWaysIn() {
    assertEquals(
        List.of(),
        started.stream()
            .filter(line -> !line.path("level").asText().equals("INFO"))
            .map(JsonNode::toString)
            .toList());
    List<String> last =
        started.subList(started.size() - 4, started.size()).stream()
            .map(line -> line.path("message").asText())
            .toList();
    String address = server.uri().toString();
    assertEquals(List.of("The mailbox server is ready", "Address: " + address), last.subList(0, 2));
    assertTrue(last.get(2).startsWith("Console: " + address + "/console/, "), last.get(2));
    Path secrets = server.data().resolve("mailbox").toAbsolutePath().normalize();
    assertTrue(last.get(2).endsWith(" " + secrets.resolve("console.password")), last.get(2));
    assertTrue(last.get(3).startsWith("Capability: "), last.get(3));
    assertTrue(last.get(3).contains(" " + secrets.resolve("operator.cap") + ","), last.get(3));
  }

  private static List<JsonNode> parsed(List<String> lines) throws IOException {
    List<JsonNode> parsed = new ArrayList<>();
    for (String line : lines) {
      parsed.add(MAPPER.readTree(line));
    }
    assertFalse(parsed.isEmpty());
    return parsed;
  }

  @Test
  void withoutTheSwitchNothingWasExported() {
    assertEquals(PARENT, traceparent);
    assertEquals(List.of(), collector.paths());
    assertFalse(
        server.outputLines().stream().anyMatch(line -> line.contains("opentelemetry")),
        () -> String.join("\n", server.outputLines()));
  }

  @Test
  void itListenedOnTheAddressThatWasChosenAndForItsAdministratorOnLoopback() {
    assertEquals(Set.of("127.0.0.1 9990", CHOSEN + " 8080"), listening);
  }
}
