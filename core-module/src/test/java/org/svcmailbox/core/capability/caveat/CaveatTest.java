package org.svcmailbox.core.capability.caveat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.Access;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Condition;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.MalformedCapabilityException;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.capability.RootKey;

class CaveatTest {
  private static final long SEED = Long.getLong("mailbox.seed", System.nanoTime());
  private static final RootKey KEY = RootKey.of("secret".getBytes(UTF_8));
  private static final CapabilityId ID = new CapabilityId("k1", "00112233445566778899aabbccddeeff");
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private static VerifiedCapability capability(List<String> caveats) {
    Macaroon macaroon = Macaroon.mint(KEY, "mailbox", ID.bytes());
    for (String caveat : caveats) {
      macaroon = macaroon.narrowedBy(caveat);
    }
    return VerifiedCapability.of(macaroon, ID, KEY).orElseThrow();
  }

  private static Access access(Operation operation, @Nullable String topic) {
    return new Access(operation, topic, null, null, null, NOW);
  }

  private static Optional<Denial> denial(String caveat, Access access) {
    return denial(capability(List.of(caveat)), access);
  }

  private static Optional<Denial> denial(VerifiedCapability capability, Access access) {
    return capability.denials(access).findFirst();
  }

  @Test
  void withoutCaveatsEverythingIsAllowed() {
    for (Operation operation : Operation.values()) {
      assertEquals(Optional.empty(), denial(capability(List.of()), access(operation, "orders")));
      assertEquals(Optional.empty(), denial(capability(List.of()), access(operation, null)));
    }
  }

  @Test
  void aTopicIsThatTopicOnly() {
    String caveat = "topic = orders";
    assertEquals(Optional.empty(), denial(caveat, access(Operation.SEND, "orders")));
    for (String other : List.of("orders.eu", "order", "orders2", "Orders")) {
      assertEquals(Optional.of(Denial.TOPIC), denial(caveat, access(Operation.SEND, other)));
    }
    assertEquals(Optional.of(Denial.TOPIC), denial(caveat, access(Operation.ADMIN, null)));
  }

  @Test
  void aPrefixIsWhatIsBelowIt() {
    String caveat = "topic = orders.*";
    for (String below : List.of("orders.eu", "orders.eu.north", "orders..")) {
      assertEquals(Optional.empty(), denial(caveat, access(Operation.SEND, below)));
    }
    for (String other : List.of("orders", "orders2", "orders-x.y", "x.orders.y")) {
      assertEquals(Optional.of(Denial.TOPIC), denial(caveat, access(Operation.SEND, other)));
    }
    assertEquals(Optional.of(Denial.TOPIC), denial(caveat, access(Operation.ADMIN, null)));
  }

  @Test
  void aMailboxIsThatMailboxAndNothingElse() {
    String mailbox = "0a".repeat(32);
    String caveat = "mailbox = " + mailbox;
    for (Operation operation : Operation.values()) {
      assertEquals(Optional.empty(), denial(caveat, accessTo(operation, mailbox)));
      assertEquals(
          Optional.of(Denial.MAILBOX), denial(caveat, accessTo(operation, "0b".repeat(32))));
      assertEquals(Optional.of(Denial.MAILBOX), denial(caveat, access(operation, "orders")));
      assertEquals(Optional.of(Denial.MAILBOX), denial(caveat, access(operation, null)));
    }
  }

  @Test
  void aTopicIsNoMailbox() {
    for (String caveat : List.of("topic = orders", "topic = orders.*")) {
      assertEquals(
          Optional.of(Denial.TOPIC),
          denial(caveat, accessTo(Operation.RENDEZVOUS_POST, "0a".repeat(32))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0A", "0g", "0a "})
  void aMailboxIsWrittenInLowerCaseHexDigits(String digits) {
    String mailbox = digits.repeat(32);
    assertInstanceOf(Condition.Unknown.class, Caveat.read("mailbox = " + mailbox).condition());
    assertInstanceOf(
        Condition.Unknown.class,
        Caveat.read("mailbox = " + "0a".repeat(32).substring(1)).condition());
  }

  private static Access accessTo(Operation operation, String mailbox) {
    return new Access(operation, null, mailbox, null, null, NOW);
  }

  @Test
  void aKeyPrefixBoundsTheKeysOfMessagesAndNothingElse() {
    String caveat = "idem_prefix = app1:";
    for (Operation operation : Operation.values()) {
      boolean takesKey = operation == Operation.SEND || operation == Operation.DLQ_EDIT;
      Optional<Denial> otherwise = takesKey ? Optional.of(Denial.IDEM_KEY) : Optional.empty();
      for (String below : List.of("app1:", "app1:7", "app1:app2:")) {
        assertEquals(Optional.empty(), denial(caveat, keyed(operation, below)));
      }
      for (String other : List.of("app1", "app2:7", "App1:7", " app1:7", "x")) {
        assertEquals(otherwise, denial(caveat, keyed(operation, other)), other);
      }
      assertEquals(otherwise, denial(caveat, access(operation, "orders")));
    }
  }

  @Test
  void ofSeveralKeyPrefixesAllHold() {
    VerifiedCapability both = capability(List.of("idem_prefix = app1:", "idem_prefix = app1:eu:"));
    assertEquals(Optional.empty(), denial(both, keyed(Operation.SEND, "app1:eu:7")));
    for (String other : List.of("app1:7", "eu:7")) {
      assertEquals(Optional.of(Denial.IDEM_KEY), denial(both, keyed(Operation.SEND, other)));
    }
    VerifiedCapability apart = capability(List.of("idem_prefix = app1:", "idem_prefix = app2:"));
    assertEquals(Optional.of(Denial.IDEM_KEY), denial(apart, keyed(Operation.SEND, "app2:7")));
  }

  @Test
  void aKeyPrefixHasUpTo64VisibleCharacters() {
    for (String none : List.of("", "a b", "\u00e9", "x".repeat(65))) {
      assertInstanceOf(
          Condition.Unknown.class, Caveat.read("idem_prefix = " + none).condition(), none);
    }
    assertInstanceOf(
        Condition.KeysBelow.class, Caveat.read("idem_prefix = " + "~".repeat(64)).condition());
  }

  private static Access keyed(Operation operation, String key) {
    return new Access(operation, "orders", null, key, null, NOW);
  }

  @Test
  void operationsAreThoseNamed() {
    String caveat = "ops = send,ack";
    for (Operation operation : Operation.values()) {
      boolean isNamed = operation == Operation.SEND || operation == Operation.ACK;
      assertEquals(
          isNamed ? Optional.empty() : Optional.of(Denial.OPERATION),
          denial(caveat, access(operation, "orders")));
    }
  }

  @Test
  void aRightHasItsPartsInIt() {
    for (Operation operation : Operation.values()) {
      boolean isPart = operation == Operation.DLQ || operation == Operation.DLQ_VIEW;
      assertEquals(
          isPart ? Optional.empty() : Optional.of(Denial.OPERATION),
          denial("ops = dlq", access(operation, "orders")),
          operation.text());
    }
    VerifiedCapability narrowed = capability(List.of("ops = dlq", "ops = dlq.view"));
    assertEquals(Optional.empty(), denial(narrowed, access(Operation.DLQ_VIEW, "orders")));
    assertEquals(Optional.of(Denial.OPERATION), denial(narrowed, access(Operation.DLQ, "orders")));
    assertEquals(
        Optional.of(Denial.OPERATION), denial("ops = dlq.view", access(Operation.DLQ, "orders")));
    assertEquals(Optional.empty(), denial("ops = admin", access(Operation.AUDIT, null)));
  }

  @Test
  void timesAreExact() {
    Access access = access(Operation.SEND, "orders");
    assertEquals(Optional.empty(), denial("expires < 2026-11-20T12:00:00.001Z", access));
    assertEquals(Optional.of(Denial.EXPIRED), denial("expires < 2026-11-20T12:00:00Z", access));
    assertEquals(Optional.empty(), denial("not_before > 2026-11-20T11:59:59.999Z", access));
    assertEquals(Optional.of(Denial.NOT_YET), denial("not_before > 2026-11-20T12:00:00Z", access));
    assertEquals(
        Optional.of(Instant.parse("2026-12-01T00:00:00Z")),
        capability(List.of("expires < 2027-01-01T00:00:00Z", "expires < 2026-12-01T00:00:00Z"))
            .expires());
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.1.2.3", "10.255.255.255", "::ffff:10.0.0.1"})
  void anAddressInTheRangeIsAllowed(String client) throws UnknownHostException {
    assertEquals(Optional.empty(), denial("ip = 10.0.0.0/8", from(client)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"11.0.0.0", "9.255.255.255", "::1", "a00::"})
  void anyOtherIsNot(String client) throws UnknownHostException {
    assertEquals(Optional.of(Denial.ADDRESS), denial("ip = 10.0.0.0/8", from(client)));
    assertEquals(
        Optional.of(Denial.ADDRESS),
        denial("ip = 10.0.0.0/8", access(Operation.SEND, "orders")),
        "unknown");
  }

  @Test
  void rangesAreCutAtAnyBit() throws UnknownHostException {
    assertEquals(Optional.empty(), denial("ip = 2001:db8::/33", from("2001:db8:7fff::1")));
    assertEquals(
        Optional.of(Denial.ADDRESS), denial("ip = 2001:db8::/33", from("2001:db8:8000::1")));
    assertEquals(Optional.empty(), denial("ip = 192.168.1.7/32", from("192.168.1.7")));
    assertEquals(Optional.of(Denial.ADDRESS), denial("ip = 192.168.1.7/32", from("192.168.1.6")));
    assertEquals(Optional.empty(), denial("ip = 0.0.0.0/0", from("203.0.113.9")));
    assertEquals(Optional.of(Denial.ADDRESS), denial("ip = 0.0.0.0/0", from("2001:db8::1")));
  }

  private static Access from(String client) throws UnknownHostException {
    InetAddress address = InetAddress.getByName(client);
    return new Access(Operation.SEND, "orders", null, null, address, NOW);
  }

  @Test
  void whatIsCountedDeniesNothingByItself() {
    VerifiedCapability capability =
        capability(List.of("rate = 100/s", "max_inflight = 50", "rate = 5/m", "max_inflight = 7"));
    assertEquals(Optional.empty(), denial(capability, access(Operation.RECV, "orders")));
    assertEquals(
        List.of(
            new Condition.Rate(100, Duration.ofSeconds(1)),
            new Condition.Rate(5, Duration.ofMinutes(1))),
        capability.rates().stream().map(Quota::caveat).toList());
    assertEquals(
        List.of(new Condition.MaxInflight(50), new Condition.MaxInflight(7)),
        capability.ceilings().stream().map(Quota::caveat).toList());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "topic=orders",
        "topic  = orders",
        " topic = orders",
        "topic = orders ",
        "topic = orders\n",
        "topic = or*ers",
        "topic = *",
        "topic = .*x",
        "topic < orders",
        "Topic = orders",
        "ops = send,fly",
        "ops = send,",
        "ops = send,send",
        "ops = SEND",
        "ops = ",
        "expires < tomorrow",
        "expires = 2027-01-01T00:00:00Z",
        "expires > 2026-01-01T00:00:00Z",
        "not_before < 2027-01-01T00:00:00Z",
        "rate = 0/s",
        "rate = 10/d",
        "rate = 10",
        "rate = 99999999999/s",
        "max_inflight = 0",
        "max_inflight = -1",
        "max_inflight = 1e3",
        "ip = 10.0.0.1/8",
        "ip = 10.0.0.0/33",
        "ip = 10.0.0/8",
        "ip = 256.0.0.0/8",
        "ip = localhost/32",
        "ip = 10.0.0.0",
        "ip = :/0",
        "email = alice@example.org",
        "x"
      })
  void whatIsNotUnderstoodDenies(String caveat) {
    assertInstanceOf(Condition.Unknown.class, Caveat.read(caveat).condition());
    assertEquals(
        Optional.of(Denial.UNKNOWN_CAVEAT),
        denial(capability(List.of(caveat)), access(Operation.SEND, "orders")));
  }

  @Test
  void addingACaveatNeverAllowsMore() throws UnknownHostException {
    Random random = new Random(SEED);
    List<String> known =
        List.of(
            "topic = orders",
            "topic = orders.*",
            "topic = a",
            "ops = send",
            "ops = send,recv,ack",
            "ops = admin",
            "idem_prefix = app1:",
            "idem_prefix = app",
            "expires < 2026-11-20T12:00:00Z",
            "expires < 2027-01-01T00:00:00Z",
            "not_before > 2026-01-01T00:00:00Z",
            "not_before > 2027-01-01T00:00:00Z",
            "ip = 10.0.0.0/8",
            "ip = 0.0.0.0/0",
            "rate = 1/s",
            "max_inflight = 1",
            "unknown = x");
    int allowed = 0;
    for (int round = 0; round < 20_000; round++) {
      List<String> some = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        some.add(known.get(random.nextInt(known.size())));
      }
      List<String> more = new ArrayList<>(some);
      more.add(random.nextInt(more.size() + 1), known.get(random.nextInt(known.size())));
      Access access = randomAccess(random);
      if (denial(capability(more), access).isEmpty()) {
        allowed++;
        assertEquals(
            Optional.empty(),
            denial(capability(some), access),
            () -> "seed " + SEED + ": " + more + " allows what " + some + " denies: " + access);
      }
    }
    assertTrue(
        allowed > 1_000, "seed " + SEED + ": too little was allowed to say anything: " + allowed);
  }

  private static Access randomAccess(Random random) throws UnknownHostException {
    List<String> topics = List.of("orders", "orders.eu", "a");
    Operation[] operations = Operation.values();
    boolean hasTopic = random.nextInt(5) > 0;
    return new Access(
        operations[random.nextInt(operations.length)],
        hasTopic ? topics.get(random.nextInt(topics.size())) : null,
        null,
        random.nextBoolean() ? (random.nextBoolean() ? "app1:7" : "app2:7") : null,
        InetAddress.getByName(random.nextBoolean() ? "10.0.0.1" : "192.0.2.1"),
        NOW);
  }

  @Test
  void aForgedMacaroonIsNoCapability() {
    Macaroon whole = Macaroon.mint(KEY, "mailbox", ID.bytes());
    byte[] genuine = Base64.getUrlDecoder().decode(whole.narrowedBy("ops = recv").token());
    byte[] forged = Base64.getUrlDecoder().decode(whole.token());
    // The signature is at the end.
    System.arraycopy(genuine, genuine.length - 32, forged, forged.length - 32, 32);
    Macaroon read = Macaroon.parse(Base64.getUrlEncoder().withoutPadding().encodeToString(forged));
    assertEquals(List.of(), read.caveats());
    assertEquals(Optional.empty(), VerifiedCapability.of(read, ID, KEY));
  }

  @Test
  void anIdentifierIsReadBackAndNothingElseIsOne() {
    assertEquals(ID, CapabilityId.ofBytes(ID.bytes()));
    for (String other :
        List.of(
            "mb1:k1:0011",
            "mb2:k1:00112233445566778899aabbccddeeff",
            "mb1::00112233445566778899aabbccddeeff",
            "mb1:k 1:00112233445566778899aabbccddeeff",
            "mb1:k1:00112233445566778899AABBCCDDEEFF",
            "mb1:k1:00112233445566778899aabbccddeeff:")) {
      assertThrows(
          MalformedCapabilityException.class, () -> CapabilityId.ofBytes(other.getBytes(UTF_8)));
    }
  }
}
