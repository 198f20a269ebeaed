package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.Access;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;

/** A minted capability is narrower than its minter's. */
class MintingTest {
  private static final long SEED = Long.getLong("mailbox.seed", System.nanoTime());
  private static final Duration HOUR = Duration.ofHours(1);

  private final Nodes nodes = new Nodes();
  private final Capabilities node = nodes.start();
  private final String root = Nodes.operatorToken(node);

  private Caller operator(String... caveats) {
    return node.authenticate(Nodes.narrowed(root, caveats), Nodes.address("192.0.2.7"));
  }

  private Caller caller(Minted minted) {
    return node.authenticate(minted.token(), null);
  }

  private static List<FieldViolation> refused(Runnable mint) {
    return assertThrows(SchemaException.class, mint::run).violations();
  }

  @Test
  void itHasTheOperatorsCaveatsThenItsOwnThenItsEnd() {
    Minted minted = node.mint(operator("ops = admin,send"), List.of("topic = orders"), HOUR);
    Instant end = nodes.time.instant().plus(HOUR);
    assertEquals(
        List.of("ops = admin,send", "topic = orders", "expires < " + end),
        caller(minted).capability().caveats());
    assertEquals(end, minted.expires());
    assertEquals(minted.id(), caller(minted).capability().id());
  }

  @Test
  void twoThatAreMintedAreNotOne() {
    Minted one = node.mint(operator(), List.of(), HOUR);
    Minted other = node.mint(operator(), List.of(), HOUR);
    assertNotEquals(one.id(), other.id());
    assertNotEquals(one.token(), other.token());
  }

  @Test
  void whateverItAllowsTheOperatorsAllowedToo() {
    Random random = new Random(SEED);
    List<String> known =
        List.of(
            "ops = admin,send",
            "ops = admin",
            "ip = 10.0.0.0/8",
            "ip = 10.0.0.1/32",
            "max_inflight = 9",
            "expires < 2026-01-01T00:00:20Z",
            "not_before > 2025-12-31T23:59:50Z");
    List<String> narrowing = new ArrayList<>(known);
    narrowing.addAll(List.of("topic = orders", "topic = orders.*", "ops = send"));
    int allowed = 0;
    for (int i = 0; i < 2_000; i++) {
      VerifiedCapability wide =
          node.authenticate(Nodes.narrowed(root, some(known, random)), Nodes.address("10.0.0.1"))
              .capability();
      Caller minter = operatorOf(wide);
      Minted minted = node.mint(minter, List.of(some(narrowing, random)), HOUR);
      VerifiedCapability narrow = caller(minted).capability();
      for (int j = 0; j < 20; j++) {
        Access access = access(random);
        boolean isAllowed = narrow.denials(access).findAny().isEmpty();
        allowed += isAllowed ? 1 : 0;
        assertTrue(
            !isAllowed || wide.denials(access).findAny().isEmpty(),
            () -> "seed " + SEED + ": " + narrow + " is wider than " + wide + " for " + access);
      }
    }
    assertTrue(allowed > 500, "seed " + SEED + ": nearly nothing was allowed: " + allowed);
  }

  private Caller operatorOf(VerifiedCapability capability) {
    SampleCallers people = new SampleCallers();
    people.now(nodes.time.instant());
    return people.caller(capability, Nodes.address("10.0.0.1"));
  }

  private static String[] some(List<String> from, Random random) {
    List<String> chosen = new ArrayList<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      chosen.add(from.get(random.nextInt(from.size())));
    }
    return chosen.toArray(String[]::new);
  }

  private Access access(Random random) {
    Operation[] operations = Operation.values();
    List<String> topics = List.of("orders", "orders.eu", "refunds");
    return new Access(
        operations[random.nextInt(operations.length)],
        random.nextBoolean() ? null : topics.get(random.nextInt(topics.size())),
        null,
        null,
        Nodes.address(random.nextBoolean() ? "10.0.0.1" : "10.0.0.2"),
        nodes.time.instant().plusSeconds(random.nextInt(60) - 30));
  }

  @Test
  void caveatsThatAreNotKnownAreRefusedEachByItsPlace() {
    assertEquals(
        List.of("caveats[0]", "caveats[2]", "caveats[3]"),
        refused(
                () ->
                    node.mint(
                        operator(),
                        List.of("topic=orders", "ops = send", "colour = red", ""),
                        HOUR))
            .stream()
            .map(FieldViolation::field)
            .toList());
  }

  @Test
  void onlyAnOperatorMintsAndOnlyOneForAllTopics() {
    for (String caveat : List.of("ops = send", "topic = orders", "topic = orders.*")) {
      Caller client = operator(caveat);
      assertThrows(DeniedException.class, () -> node.mint(client, List.of(), HOUR));
    }
    assertEquals(2, nodes.store.audit().size(), "nothing but the key and operator.cap");
  }

  @Test
  void itLivesASecondAtLeastAndTenYearsAtMost() {
    Duration nano = Duration.ofNanos(1);
    for (Duration life : List.of(Capabilities.SHORTEST, Capabilities.LONGEST)) {
      Minted minted = node.mint(operator(), List.of(), life);
      assertEquals(nodes.time.instant().plus(life), minted.expires());
    }
    for (Duration life :
        List.of(Capabilities.SHORTEST.minus(nano), Capabilities.LONGEST.plus(nano))) {
      assertEquals(
          "expires_in", refused(() -> node.mint(operator(), List.of(), life)).get(0).field());
    }
    assertEquals(Duration.ofSeconds(1), Capabilities.SHORTEST);
    assertEquals(Duration.ofDays(3_650), Capabilities.LONGEST);
  }

  @Test
  void itEndsWhenTheFirstOfItsEndsComes() {
    String inherited = "expires < 2026-01-01T00:30:00Z";
    Minted sooner = node.mint(operator(inherited), List.of(), Duration.ofMinutes(20));
    assertEquals(Instant.parse("2026-01-01T00:20:00Z"), sooner.expires());
    Minted later = node.mint(operator(inherited), List.of(), HOUR);
    assertEquals(Instant.parse("2026-01-01T00:30:00Z"), later.expires());
    Minted own = node.mint(operator(), List.of(inherited), HOUR);
    assertEquals(Instant.parse("2026-01-01T00:30:00Z"), own.expires());
    nodes.time.advance(Duration.ofMinutes(20).minusMillis(1));
    assertEquals(Optional.empty(), caller(sooner).denial(Operation.SEND, null));
    nodes.time.advance(Duration.ofMillis(1));
    assertEquals(Optional.of(Denial.EXPIRED), caller(sooner).denial(Operation.SEND, null));
  }

  @Test
  void thereAreAsManyCaveatsAsAnyCapabilityHasTheEndAmongThem() {
    List<String> most = Collections.nCopies(Macaroon.MOST_CAVEATS - 1, "ops = send");
    assertEquals(
        Macaroon.MOST_CAVEATS,
        caller(node.mint(operator(), most, HOUR)).capability().caveats().size());
    assertEquals(
        "caveats",
        refused(() -> node.mint(operator("ops = admin"), most, HOUR)).get(0).field(),
        "the operator's own count");
  }

  @Test
  void theTokenIsAsLongAsAnyMayBeAndNoLonger() {
    List<String> long16 = Collections.nCopies(11, "topic = " + "a".repeat(250));
    int longest = 0;
    for (int length = 1; length <= 255; length++) {
      List<String> caveats = new ArrayList<>(long16);
      caveats.add("topic = " + "a".repeat(length));
      try {
        longest = node.mint(operator(), caveats, HOUR).token().length();
      } catch (SchemaException e) {
        assertEquals("caveats", e.violations().get(0).field());
        assertTrue(longest > Macaroon.MOST_CHARACTERS - 3, "refused early: " + longest);
        return;
      }
      assertTrue(longest <= Macaroon.MOST_CHARACTERS);
    }
    throw new AssertionError("never refused, at " + longest);
  }

  @Test
  void theAuditSaysWhoMintedWhatFromWhereAndNotTheToken() {
    Caller operator = operator("ops = admin");
    Minted minted = node.mint(operator, List.of("topic = orders"), HOUR);
    CapabilityId actor = operator.capability().id();
    AuditEntry entry = nodes.store.audit().get(2);
    assertEquals(
        new AuditEntry(
            nodes.time.instant(),
            new Actor(actor.keyId() + ":" + actor.nonce(), "operator.cap"),
            "192.0.2.7",
            "capability.mint",
            minted.id().nonce(),
            "ops = admin; topic = orders; expires < " + minted.expires()),
        entry);
    assertFalse(entry.toString().contains(minted.token()));
  }

  @Test
  void aNoteIsStoredAndAuditedAndNamesWhatItsHolderDoes() {
    Minted minter = node.mint(operator(), List.of("ops = admin"), HOUR, "on-call");
    Minted minted = node.mint(caller(minter), List.of(), HOUR, "shop 7");
    AuditEntry entry = nodes.store.audit().get(nodes.store.audit().size() - 1);
    assertEquals("on-call", entry.actor().name());
    assertTrue(entry.note().endsWith("; note: shop 7"), entry::toString);
    assertEquals(
        Map.of(minter.id().nonce(), "on-call", minted.id().nonce(), "shop 7"),
        node.list(operator(), ListedCapability.Kind.MINTED, "", 100).capabilities().stream()
            .map(ListedCapability::minting)
            .filter(minting -> minting != null && !"operator.cap".equals(minting.note()))
            .collect(Collectors.toMap(minting -> minting.id().nonce(), Minting::note)));
  }

  @Test
  void whatCannotBeWrittenToTheAuditIsNotMinted() {
    Caller operator = operator();
    nodes.store.away(true);
    assertThrows(UnavailableException.class, () -> node.mint(operator, List.of(), HOUR));
  }
}
