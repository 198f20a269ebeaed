package org.svcmailbox.web.delivery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import java.time.Duration;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.ShardKey;
import org.svcmailbox.core.envelope.Signature;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.web.TestSettings;

class OctetRequestsTest {
  private static final Payload NOTHING = Payload.owning(new byte[0]);

  /** Parses lines of {@code Name: value}. */
  private static MultivaluedMap<String, String> headers(String lines) {
    MultivaluedMap<String, String> headers = new MultivaluedHashMap<>();
    lines.lines().map(line -> line.split(": ?", 2)).forEach(line -> headers.add(line[0], line[1]));
    return headers;
  }

  private static SendRequest send(String lines) {
    return OctetRequests.send(headers(lines), NOTHING, TestSettings.SETTINGS.request());
  }

  private static RecvRequest recv(String lines) {
    return OctetRequests.recv(headers(lines), NOTHING, TestSettings.SETTINGS);
  }

  private static String refused(SchemaException refused) {
    return refused.violations().stream()
        .map(FieldViolation::field)
        .collect(Collectors.toCollection(TreeSet::new))
        .toString();
  }

  @Test
  void aSendHasEveryFieldOfTheJsonForm() {
    Payload payload = Payload.owning(new byte[] {1});
    SendRequest request =
        OctetRequests.send(
            headers(
                """
                mailbox-topic: orders
                IDEMPOTENCY-KEY: "k 1"
                Mailbox-Attrs: {"a": "\\u00e4", "b\\n": ""}
                Mailbox-Corr-Id: UTF-8''a%20b
                Mailbox-Shard-Key: s
                Mailbox-Delay-Ms: 10
                Mailbox-Ttl-Ms: 20
                Mailbox-Payload-Hash: b3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef
                Mailbox-Sig: x
                Content-Type: application/octet-stream
                """),
            payload,
            TestSettings.SETTINGS.request());
    assertEquals(
        new SendRequest(
            new TopicName("orders"),
            payload,
            new IdemKey("k 1"),
            new Attributes(Map.of("a", "ä", "b\n", "")),
            new CorrId("a b"),
            new ShardKey("s"),
            Duration.ofMillis(10),
            Duration.ofMillis(20),
            Digest.parse("b3:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"),
            new Signature("x"),
            null),
        request);
    assertSame(payload, request.payload());
  }

  @Test
  void aRecvIsOfOneMessage() {
    assertEquals(
        new RecvRequest(
            new TopicName("t"), Duration.ofMillis(250), 1, 9, Duration.ofSeconds(30), 3),
        recv(
            """
            Mailbox-Topic: t
            Mailbox-Visibility-Ms: 250
            Mailbox-Max-Bytes: 9
            Mailbox-Wait-Ms: 30000
            Mailbox-Shard: 3
            """));
    long maxBytesAllowed = 8L * TestSettings.MAX_FRAME;
    assertEquals(
        new RecvRequest(new TopicName("t"), null, 1, maxBytesAllowed, Duration.ZERO, null),
        recv("Mailbox-Topic: t"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "Mailbox-Colour: red                             | Mailbox-Colour",
        "Mailbox-: red                                   | Mailbox-",
        "Mailbox-Wait-Ms: 5                              | Mailbox-Wait-Ms",
        "Mailbox-Idem-Key: k                             | Mailbox-Idem-Key",
        "Mailbox-Sig: a b                                | Mailbox-Sig",
        "Mailbox-Sig: ä                                  | Mailbox-Sig",
        "Mailbox-Delay-Ms: -1                            | Mailbox-Delay-Ms",
        "Mailbox-Delay-Ms: +1                            | Mailbox-Delay-Ms",
        "Mailbox-Delay-Ms: 1.0                           | Mailbox-Delay-Ms",
        "Mailbox-Delay-Ms:                               | Mailbox-Delay-Ms",
        "Mailbox-Delay-Ms: ٣                             | Mailbox-Delay-Ms",
        "Mailbox-Delay-Ms: 604800001                     | Mailbox-Delay-Ms",
        "Mailbox-Delay-Ms: 99999999999999999999          | Mailbox-Delay-Ms",
        "Mailbox-Payload-Hash: b3:00                     | Mailbox-Payload-Hash",
        "Mailbox-Ttl-Ms: 0                               | Mailbox-Ttl-Ms",
        "Mailbox-Ttl-Ms: 31536000001                     | Mailbox-Ttl-Ms",
        "Mailbox-Attrs: x                                | Mailbox-Attrs",
        "Mailbox-Attrs:                                  | Mailbox-Attrs",
        "Mailbox-Attrs: null                             | Mailbox-Attrs",
        "Mailbox-Attrs: []                               | Mailbox-Attrs",
        "Mailbox-Attrs: {} {}                            | Mailbox-Attrs",
        "Mailbox-Attrs: {\"a\": 7}                       | Mailbox-Attrs.a",
        "Mailbox-Attrs: {\"body\": 7}                    | Mailbox-Attrs.body",
        "Mailbox-Attrs: {\"a\": null}                    | Mailbox-Attrs.a",
        "Mailbox-Attrs: {\"a\": \"\", \"a\": \"\"}       | Mailbox-Attrs.a",
        "Mailbox-Attrs: {\"\": \"\"}                     | Mailbox-Attrs",
        "Mailbox-Attrs: {\"a\": \"\\ud800\"}             | Mailbox-Attrs",
        "Mailbox-Attrs: {\"a\": \"ä\"}                   | Mailbox-Attrs",
      })
  void fieldsThatSendRefusesAreNamedByTheirHeader(String line, String headers) {
    String good = "Mailbox-Topic: t\nIdempotency-Key: k\n";
    assertEquals(
        "[" + headers + "]", refused(assertThrows(SchemaException.class, () -> send(good + line))));
  }

  @Test
  void missingHeadersAreReported() {
    assertEquals(
        "[Idempotency-Key, Mailbox-Topic]",
        refused(assertThrows(SchemaException.class, () -> send("X-Other: a"))));
    assertEquals(
        "[Idempotency-Key, Mailbox-Topic]",
        refused(
            assertThrows(
                SchemaException.class, () -> send("Mailbox-Topic: a/b\nIdempotency-Key: \"\""))));
  }

  @ParameterizedTest
  @CsvSource({
    "Mailbox-Shard: x,Mailbox-Shard",
    "Mailbox-Visibility-Ms: 249,Mailbox-Visibility-Ms",
    "Mailbox-Wait-Ms: 30001,Mailbox-Wait-Ms",
    "Mailbox-Max-Bytes: 0,Mailbox-Max-Bytes",
    "Mailbox-Max-Messages: 1,Mailbox-Max-Messages",
    "Idempotency-Key: k,Idempotency-Key",
  })
  void fieldsThatRecvRefusesAreNamedByTheirHeader(String line, String header) {
    String lines = "Mailbox-Topic: t\n" + line;
    assertEquals(
        "[" + header + "]", refused(assertThrows(SchemaException.class, () -> recv(lines))));
  }

  @Test
  void aShardThatNoTopicCanHaveIsAShard() {
    assertEquals(Integer.MAX_VALUE, recv("Mailbox-Topic: t\nMailbox-Shard: 99999999999").shard());
  }

  @Test
  void aHeaderThatIsThereTwiceIsRefusedAndSoIsEveryOther() {
    SchemaException refused =
        assertThrows(
            SchemaException.class,
            () ->
                send(
                    """
                    Mailbox-Topic: t
                    Mailbox-Topic: t
                    Idempotency-Key: "k
                    Mailbox-Delay-Ms: x
                    Mailbox-What: 1
                    """));
    assertEquals(
        "[Idempotency-Key, Mailbox-Delay-Ms, Mailbox-Topic, Mailbox-What]", refused(refused));
  }

  @Test
  void aRecvHasNoBody() {
    SchemaException refused =
        assertThrows(
            SchemaException.class,
            () ->
                OctetRequests.recv(
                    headers("Mailbox-Topic: t"),
                    Payload.owning(new byte[1]),
                    TestSettings.SETTINGS));
    assertEquals("[body]", refused(refused));
  }
}
