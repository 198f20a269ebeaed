package org.svcmailbox.capability;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reading, inspecting and narrowing capabilities, by the vectors of npm's macaroon. */
class CapabilityTest {
  private static final String PLAIN =
      "AgEHbWFpbGJveAInbWIxOmsxOjAwMTEyMjMzNDQ1NTY2Nzc4ODk5YWFiYmNjZGRlZWZmAAAGIKkMjVF3ydLilWvi7u2p"
          + "8tiqCMOWLrE-sVoLO8LYQFju";
  private static final long SEED = 20_260_102;

  static Stream<JsonNode> vectors() throws IOException {
    try (InputStream in =
        CapabilityTest.class.getResourceAsStream("/golden/macaroon_vectors.json")) {
      JsonNode vectors = new ObjectMapper().readTree(in).path("vectors");
      assertEquals(18, vectors.size());
      return StreamSupport.stream(vectors.spliterator(), false);
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void narrowingMakesWhatAnotherImplementationMakes(JsonNode vector) throws Exception {
    byte[] identifier = vector.path("identifier").asText().getBytes(UTF_8);
    byte[] key =
        RootKey.hmac(
            "macaroons-key-generator".getBytes(US_ASCII),
            vector.path("key").asText().getBytes(UTF_8));
    Macaroon made =
        new Macaroon(
            vector.path("location").asText(), identifier, List.of(), RootKey.hmac(key, identifier));
    List<String> caveats = new ArrayList<>();
    for (JsonNode caveat : vector.path("caveats")) {
      caveats.add(caveat.asText());
      made = made.narrowedBy(caveat.asText());
    }

    assertEquals(vector.path("signature").asText(), HexFormat.of().formatHex(made.signature()));
    if (!vector.path("token").isNull()) {
      assertEquals(vector.path("token").asText(), made.token());
      Macaroon read = Macaroon.parse(vector.path("token").asText());
      assertEquals(caveats, read.caveats());
      assertEquals(vector.path("location").asText(), read.location());
      assertEquals(made.token(), read.token());
    }
  }

  @Test
  void aCapabilityIsInspected() {
    Capability capability =
        Capability.parse(PLAIN)
            .narrow(
                Caveat.topic("orders"),
                Caveat.expires(Instant.parse("2026-12-01T00:00:00Z")),
                Caveat.expires(Instant.parse("2026-11-01T00:00:00.5Z")),
                Caveat.expires(Instant.parse("2027-01-01T00:00:00Z")));
    assertEquals("k1", capability.keyId());
    assertEquals("00112233445566778899aabbccddeeff", capability.nonce());
    assertEquals("mailbox", capability.location());
    assertEquals("topic = orders", capability.caveats().get(0));
    assertEquals(4, capability.caveats().size());
    assertEquals(Optional.of(Instant.parse("2026-11-01T00:00:00.5Z")), capability.expires());
    assertEquals(Optional.empty(), Capability.parse(PLAIN).expires());
    assertEquals(capability.caveats(), Capability.parse(capability.token()).caveats());
  }

  @Test
  void caveatsAreWrittenAsTheServiceReadsThem() {
    assertEquals("topic = orders.*", Caveat.topicsBelow("orders").text());
    assertEquals(
        "ops = send,dlq.view",
        Caveat.operations(EnumSet.of(Operation.DLQ_VIEW, Operation.SEND)).text());
    assertEquals(
        "not_before > 2026-11-01T00:00:00Z",
        Caveat.notBefore(Instant.parse("2026-11-01T00:00:00Z")).text());
    assertEquals("rate = 100/m", Caveat.rate(100, Duration.ofMinutes(1)).text());
    assertEquals("rate = 1/s", Caveat.rate(1, Duration.ofSeconds(1)).text());
    assertEquals("rate = 9/h", Caveat.rate(9, Duration.ofHours(1)).text());
    assertEquals(
        "ops = rendezvous.post,rendezvous.get",
        Caveat.operations(EnumSet.of(Operation.RENDEZVOUS_GET, Operation.RENDEZVOUS_POST)).text());
    String recipient = "0a".repeat(32);
    assertEquals("mailbox = " + recipient, Caveat.mailbox(recipient).text());
    assertEquals("max_inflight = 50", Caveat.maxInflight(50).text());
    assertEquals("ip = 10.0.0.0/8", Caveat.ip("10.0.0.0/8").text());
    assertEquals("ip = 2001:db8::/32", Caveat.ip("2001:db8::/32").text());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "topic=orders",
        "topic =  orders",
        "topic = orders ",
        "topic < orders",
        "topic = a/b",
        "topic = .*",
        "mailbox = 0A0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a",
        "mailbox = 0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0",
        "mailbox = orders",
        "ops = ",
        "ops = send,send",
        "ops = send, recv",
        "ops = fly",
        "expires < tomorrow",
        "expires = 2026-12-01T00:00:00Z",
        "rate = 0/s",
        "rate = 1/d",
        "rate = 1000000000/s",
        "max_inflight = -1",
        "ip = 10.0.0.1/8",
        "ip = 10.0.0.0/33",
        "ip = localhost/8",
        "colour = red"
      })
  void aCaveatThatTheServiceWouldNotKnowIsRefused(String text) {
    assertFalse(Caveat.isKnown(text));
    assertThrows(IllegalArgumentException.class, () -> Caveat.parse(text));
  }

  @Test
  void wrongValuesAreRefused() {
    assertThrows(
        IllegalArgumentException.class, () -> Caveat.operations(EnumSet.noneOf(Operation.class)));
    assertThrows(IllegalArgumentException.class, () -> Caveat.rate(1, Duration.ofSeconds(2)));
    assertThrows(IllegalArgumentException.class, () -> Caveat.rate(0, Duration.ofSeconds(1)));
    assertThrows(IllegalArgumentException.class, () -> Caveat.maxInflight(0));
    assertThrows(IllegalArgumentException.class, () -> Caveat.topic("a b"));
  }

  @Test
  void aCapabilityHasAtMost64Caveats() {
    Capability narrowed = Capability.parse(PLAIN);
    for (int i = 0; i < 64; i++) {
      narrowed = narrowed.narrow(Caveat.topic("t" + i));
    }
    Capability most = Capability.parse(narrowed.token());
    assertEquals(64, most.caveats().size());
    assertThrows(IllegalArgumentException.class, () -> most.narrow(Caveat.topic("more")));
  }

  @Test
  void aCapabilityHasAtMost4096Characters() {
    Caveat[] long15 =
        Stream.generate(() -> Caveat.topic("x".repeat(255))).limit(15).toArray(Caveat[]::new);
    assertThrows(IllegalArgumentException.class, () -> Capability.parse(PLAIN).narrow(long15));
  }

  @Test
  void keysBeginWithTheLongestPrefix() {
    Capability plain = Capability.parse(PLAIN);
    assertEquals("", plain.keyPrefix());
    Capability shop = plain.narrow(Caveat.keyPrefix("shop:"));
    assertEquals("shop:", shop.keyPrefix());
    assertEquals("shop:eu:", shop.narrow(Caveat.keyPrefix("shop:eu:")).keyPrefix());
    assertThrows(IllegalArgumentException.class, () -> Caveat.keyPrefix("a b"));
    assertThrows(IllegalArgumentException.class, () -> Caveat.keyPrefix("x".repeat(65)));
  }

  /** Padding, another alphabet, stray bits, other identifiers, and macaroons of other versions. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "A",
        " " + PLAIN,
        PLAIN + "=",
        PLAIN + "A",
        "AgICaWQAAg50b3BpYyA9IG9yZGVycwAABiDqa12-OvWLiYm0Z-CbRjApIWcGB4Udh8l0u92SLyypFA",
        "AgETaHR0cDovL2V4YW1wbGUub3JnLwIFa2V5aWQAAAYgfN7nklEcW8b1KEhYBd_psk54XijiqZMB-dcRxgnjjvc",
        "TURBeU1XeHZZMkYwYVc5dUlHaDBkSEE2THk5bGVHRnRjR3hsTG05eVp5OEtNREF4"
      })
  void anythingElseIsNoCapability(String token) {
    IllegalArgumentException thrown =
        assertThrows(IllegalArgumentException.class, () -> Capability.parse(token));
    assertFalse(
        !token.isEmpty() && token.length() > 1 && String.valueOf(thrown).contains(token.strip()));
  }

  /** A location is not signed, so its length is anybody's choice: its top bits are in a digit. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 128, 192, 255})
  void noTokenIsShownWhateverItsLocation(int length) {
    byte[] identifier = ("mb1:k1:" + "0".repeat(32)).getBytes(US_ASCII);
    String token =
        new Macaroon("x".repeat(length), identifier, List.of("topic = t"), new byte[32]).token();
    assertEquals(
        "not [token], but orders.[token]/x",
        Capability.withoutTokens("not " + token + ", but orders." + token + "/x"));
    assertEquals("AgEHbWFpbGJveA", Capability.withoutTokens("AgEHbWFpbGJveA"));
  }

  /** Fields of third parties, broken lengths, and bytes after the end. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "02",
        "0202",
        "020141",
        "01020141000006",
        "02020141000201420401430000" + "0620",
        "02" + "020141" + "00" + "0620",
        "02" + "028080800141" + "00" + "00" + "0620",
        "02" + "02810041" + "00" + "00" + "0620",
        "02" + "0100" + "020141" + "00" + "00" + "0620",
        "02" + "0200" + "00" + "00" + "0620",
        "02" + "020141" + "00" + "0201ff" + "00" + "00" + "0620",
        "02" + "020141" + "00" + "00" + "061f",
        "02" + "020141" + "00" + "00" + "0621"
      })
  void brokenBinaryIsRefused(String hex) {
    byte[] start = HexFormat.of().parseHex(hex);
    byte[] whole = Arrays.copyOf(start, start.length + 32);
    String token = Base64.getUrlEncoder().withoutPadding().encodeToString(whole);
    assertThrows(MalformedCapabilityException.class, () -> Macaroon.parse(token));
  }

  @Test
  void whateverComesInIsReadOrRefused() {
    Random random = new Random(SEED);
    byte[] whole = Base64.getUrlDecoder().decode(PLAIN);
    int read = 0;
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = whole.clone();
      for (int i = random.nextInt(4); i > 0; i--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        Macaroon.parse(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        read++;
      } catch (MalformedCapabilityException e) {
        // The one exception that may come out.
      }
    }
    assertTrue(read > 0 && read < 20_000, "seed " + SEED + ": " + read + " were read");
  }

  @Test
  void nothingSecretIsShown() {
    Capability capability = Capability.parse(PLAIN);
    assertFalse(capability.toString().contains("a90c8d51"));
    assertFalse(capability.toString().contains(PLAIN));
  }
}
