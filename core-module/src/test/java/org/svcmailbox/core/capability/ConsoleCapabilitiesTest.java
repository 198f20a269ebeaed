package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.FairShare;

/** Console users get the rights of their role, for a limited time. */
class ConsoleCapabilitiesTest {
  private static final Duration LIFE = Duration.ofMinutes(10);
  static final ConsoleTerms TERMS = new ConsoleTerms(LIFE, 1_000, new FairShare(75));

  private final Nodes nodes = new Nodes();
  private final Capabilities node = nodes.start();
  private final ConsoleService console = node.forConsole(TERMS);

  private Minted mint(ConsoleRole role) {
    return console.mint(new ConsoleUser("ann", role), Nodes.address("192.0.2.7"));
  }

  private Set<Operation> rights(Minted minted) {
    Caller caller = node.authenticate(minted.token(), null);
    return Arrays.stream(Operation.values())
        .filter(operation -> caller.denial(operation, null).isEmpty())
        .collect(Collectors.toSet());
  }

  private AuditEntry last() {
    List<AuditEntry> audit = nodes.store.audit();
    return audit.get(audit.size() - 1);
  }

  @Test
  void aViewerLooks() {
    assertEquals(Set.of(Operation.DLQ_VIEW, Operation.PEEK), rights(mint(ConsoleRole.VIEWER)));
  }

  @Test
  void anOperatorDealsWithDeadLettersReadsTheAuditPausesTopicsAndNothingElse() {
    assertEquals(
        Set.of(
            Operation.DLQ,
            Operation.DLQ_VIEW,
            Operation.DLQ_EDIT,
            Operation.PEEK,
            Operation.AUDIT,
            Operation.PAUSE),
        rights(mint(ConsoleRole.OPERATOR)));
  }

  @Test
  void nobodyMintsRevokesOrRotatesWithOne() {
    Caller operator = node.authenticate(mint(ConsoleRole.OPERATOR).token(), null);
    assertThrows(DeniedException.class, () -> node.mint(operator, List.of(), LIFE));
    assertThrows(DeniedException.class, () -> node.rotate(operator));
  }

  @Test
  void itEndsWhenItSaysAndNotBefore() {
    Minted minted = mint(ConsoleRole.VIEWER);
    assertEquals(nodes.time.instant().plus(LIFE), minted.expires());
    nodes.time.advance(LIFE.minusMillis(1));
    assertEquals(Set.of(Operation.DLQ_VIEW, Operation.PEEK), rights(minted));
    nodes.time.advance(Duration.ofMillis(1));
    assertEquals(Set.of(), rights(minted));
  }

  @Test
  void theAuditSaysWhoHasIt() {
    Minted minted = mint(ConsoleRole.VIEWER);
    AuditEntry entry = last();
    assertEquals(Actor.ofConsole("ann"), entry.actor());
    assertEquals("192.0.2.7", entry.address());
    assertEquals("console.capability", entry.action());
    assertEquals(minted.id().nonce(), entry.subject());
    assertTrue(entry.note().startsWith("ops = dlq.view,peek; expires < "), entry::note);
    assertFalse(entry.toString().contains(minted.token()), "a secret");
  }

  @Test
  void theAuditSaysWhoCameAndWentAndChangedThePassword() {
    ConsoleUser ann = new ConsoleUser("ann", ConsoleRole.OPERATOR);
    console.signedIn(ann, null, "form");
    assertEquals(
        new AuditEntry(
            nodes.time.instant(),
            Actor.ofConsole("ann"),
            "",
            "console.signin",
            "ann",
            "form, operator"),
        last());
    console.signedOut(ann, null);
    assertEquals(
        new AuditEntry(
            nodes.time.instant(), Actor.ofConsole("ann"), "", "console.signout", "ann", ""),
        last());
    console.passwordChanged(ann, null);
    assertEquals(
        new AuditEntry(
            nodes.time.instant(), Actor.ofConsole("ann"), "", "console.password", "ann", ""),
        last());
  }

  private static final ConsoleUser ANN = new ConsoleUser("ann", ConsoleRole.VIEWER);

  @Test
  void aCapabilityEndsWithItsSessionOnEveryNode() {
    Minted minted = mint(ConsoleRole.VIEWER);
    Capabilities other = nodes.start();
    console.end(ANN, null, List.of(minted.id()));
    assertEquals(Set.of(), rights(minted));
    assertEquals(Optional.of(Denial.REVOKED), Nodes.denial(other, minted.token()));
    assertEquals("console.capability_end", last().action());
    assertEquals(minted.id().nonce(), last().subject());
  }

  @Test
  void itEndsAtOnceWhileTheDatabaseIsAwayAndThereWhenItReturns() {
    Minted first = mint(ConsoleRole.VIEWER);
    Minted second = mint(ConsoleRole.VIEWER);
    nodes.store.away(true);
    assertThrows(
        UnavailableException.class, () -> console.end(ANN, null, List.of(first.id(), second.id())));
    assertEquals(Set.of(), rights(first));
    assertEquals(Set.of(), rights(second));
    nodes.store.away(false);
    node.restore();
    assertTrue(nodes.store.isRevoked(second.id()));
  }

  @Test
  void aUserHasAShareAndTakesNoneOfAnybodyElse() {
    nodes.maxMinted = 3;
    Capabilities small = nodes.start();
    ConsoleCapabilities users =
        small.forConsole(ConsoleTerms.of(/* maxSessions= */ 1, LIFE, new FairShare(75)));
    for (int i = 0; i < 12; i++) {
      users.end(ANN, null, List.of(users.mint(ANN, null).id()));
    }
    assertFull(() -> users.mint(ANN, null), "this user has a share");
    ConsoleUser bob = new ConsoleUser("bob", ConsoleRole.VIEWER);
    for (int i = 0; i < 3; i++) {
      users.mint(bob, null);
    }
    assertFull(() -> users.mint(bob, null), "this user has a share");
    users.mint(new ConsoleUser("eve", ConsoleRole.VIEWER), null);
    assertFull(
        () -> users.mint(new ConsoleUser("kim", ConsoleRole.VIEWER), null),
        "too many capabilities");
    assertEquals(
        List.of(16.0, 16.0),
        users.metrics().stream().map(Metric::now).toList(),
        "bound_used, bound_capacity");
    Caller operator = Nodes.operator(small);
    small.mint(operator, List.of(), LIFE);
    nodes.time.advance(LIFE);
    users.mint(ANN, null);
    assertEquals(12, nodes.store.revocations());
    nodes.store.purgeMintings(nodes.time.instant(), 1_000);
    assertEquals(0, nodes.store.revocations(), "nobody needs them any more");
  }

  private static void assertFull(Executable minting, String detail) {
    SaturatedException full = assertThrows(SaturatedException.class, minting);
    assertEquals("console_mintings", full.reason());
    assertTrue(String.valueOf(full.getMessage()).startsWith(detail), full::getMessage);
  }

  @Test
  void anElevatedCapabilityHasOneOperationForAMinute() {
    Minted minted = elevated("admin", "orders");
    Caller caller = node.authenticate(minted.token(), null);
    assertTrue(caller.may(Operation.ADMIN, new TopicName("orders")));
    assertFalse(caller.may(Operation.ADMIN, new TopicName("orders.eu")));
    assertFalse(caller.may(Operation.ADMIN, null), "no minting, no key is revoked");
    assertFalse(caller.may(Operation.REVOKE, null));
    assertFalse(caller.may(Operation.SEND, new TopicName("orders")));
    assertThrows(DeniedException.class, () -> node.mint(caller, List.of(), LIFE));
    assertEquals(nodes.time.instant().plusSeconds(60), minted.expires());
    AuditEntry entry = last();
    assertEquals("console.elevate", entry.action());
    assertEquals("console:ann", entry.actor().id());
    assertEquals(minted.id().nonce(), entry.subject());
    assertTrue(entry.note().startsWith("ops = admin; topic = orders; expires < "), entry::note);
    nodes.time.advance(Duration.ofSeconds(60));
    assertEquals(Set.of(), rights(minted));
  }

  @Test
  void aTestMessageNeedsSendAlone() {
    Caller caller = node.authenticate(elevated("send", "orders").token(), null);
    assertTrue(caller.may(Operation.SEND, new TopicName("orders")));
    assertFalse(caller.may(Operation.ADMIN, new TopicName("orders")));
  }

  @Test
  void whoRevokesRevokesCapabilitiesAndNoKeys() {
    Minted victim = mint(ConsoleRole.VIEWER);
    Minted minted = elevated("revoke", null);
    assertEquals(Set.of(Operation.REVOKE), rights(minted));
    Caller caller = node.authenticate(minted.token(), null);
    String old = victim.id().keyId();
    node.rotate(Nodes.operator(node));
    DeniedException denied =
        assertThrows(DeniedException.class, () -> node.revoke(caller, new Revocation.OfKey(old)));
    assertEquals(Denial.OPERATION.text(), denied.reason());
    assertThrows(DeniedException.class, () -> node.rotate(caller));
    node.revoke(caller, new Revocation.OfNonce(victim.id().nonce()));
    assertEquals(Set.of(), rights(victim));
  }

  private Minted elevated(String op, @Nullable String topic) {
    return console.elevate(
        new ConsoleUser("ann", ConsoleRole.ADMINISTRATOR), null, Elevation.of(op, topic));
  }

  private static final ConsoleUser ADMINISTRATOR =
      new ConsoleUser("ann", ConsoleRole.ADMINISTRATOR);

  @Test
  void anAdministratorMintsForOthers() {
    Minted minted =
        console.mint(
            ADMINISTRATOR,
            Nodes.address("192.0.2.7"),
            CapabilityOrder.of(List.of("ops = send", "topic = orders"), "365d", " shop "));
    Caller caller = node.authenticate(minted.token(), null);
    assertTrue(caller.may(Operation.SEND, new TopicName("orders")));
    assertFalse(caller.may(Operation.SEND, new TopicName("other")));
    assertFalse(caller.may(Operation.RECV, new TopicName("orders")));
    assertEquals(nodes.time.instant().plus(Duration.ofDays(365)), minted.expires());
    AuditEntry entry = last();
    assertEquals("capability.mint", entry.action());
    assertEquals("console:ann", entry.actor().id());
    assertEquals("192.0.2.7", entry.address());
    assertEquals(minted.id().nonce(), entry.subject());
    assertTrue(entry.note().startsWith("ops = send; topic = orders; expires < "), entry::note);
    assertTrue(entry.note().endsWith("; note: shop"), entry::note);
    assertEquals(0, nodes.store.sessionMintings(nodes.time.instant()));
    console.end(ADMINISTRATOR, null, List.of());
    assertTrue(
        node.authenticate(minted.token(), null).may(Operation.SEND, new TopicName("orders")));
  }

  @Test
  void whatAdministratorsMintCountsAsMintedWithAShare() {
    nodes.maxMinted = 4;
    nodes.fairShare = 75;
    ConsoleService users = nodes.start().forConsole(TERMS);
    CapabilityOrder order = CapabilityOrder.of(List.of("ops = send"), "1h", "shop");
    for (int i = 0; i < 3; i++) {
      users.mint(ADMINISTRATOR, null, order);
    }
    SaturatedException full =
        assertThrows(SaturatedException.class, () -> users.mint(ADMINISTRATOR, null, order));
    assertEquals("max_minted", full.reason());
    users.mint(new ConsoleUser("eve", ConsoleRole.ADMINISTRATOR), null, order);
  }

  static Stream<Arguments> refusedOrders() {
    List<String> send = List.of("ops = send");
    return Stream.of(
        Arguments.of(null, null, null, "caveats expires_in note"),
        Arguments.of(List.of(), "1h", "n", "caveats"),
        Arguments.of(List.of("topic = orders"), "1h", "n", "caveats"),
        Arguments.of(List.of("ops = send,admin"), "1h", "n", "caveats[0]"),
        Arguments.of(List.of("ops = admin", "ops = send"), "1h", "n", "caveats[0]"),
        Arguments.of(List.of("ops = send", "ops = revoke"), "1h", "n", "caveats[1]"),
        Arguments.of(List.of("ops = send", "ops=recv", ""), "1h", "n", "caveats[1] caveats[2]"),
        Arguments.of(List.of("ops = send\nops = admin"), "1h", "n", "caveats[0]"),
        Arguments.of(send, "", "n", "expires_in"),
        Arguments.of(send, "1", "n", "expires_in"),
        Arguments.of(send, "999ms", "n", "expires_in"),
        Arguments.of(send, "366d", "n", "expires_in"),
        Arguments.of(send, "-1h", "n", "expires_in"),
        Arguments.of(send, "9999999999999999d", "n", "expires_in"),
        Arguments.of(send, "1h", " ", "note"),
        Arguments.of(send, "1h", "n".repeat(256), "note"),
        Arguments.of(send, "1h", "a\u202eb", "note"),
        Arguments.of(send, "1h", "console:ann", "note"));
  }

  @ParameterizedTest
  @MethodSource
  void refusedOrders(
      @Nullable List<String> caveats, @Nullable String life, @Nullable String note, String fields) {
    SchemaException refused =
        assertThrows(SchemaException.class, () -> CapabilityOrder.of(caveats, life, note));
    assertEquals(
        fields,
        refused.violations().stream().map(FieldViolation::field).collect(Collectors.joining(" ")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"1s", "8h", "365d"})
  void anOrderLastsAYearAtMost(String life) {
    CapabilityOrder.of(List.of("ops = dlq,dlq.edit,peek,audit,pause"), life, "n".repeat(255));
  }

  @Test
  void tooManyCaveatsAreRefused() {
    List<String> rates = new ArrayList<>(Collections.nCopies(9, "rate = 1/s"));
    rates.add("ops = send");
    CapabilityOrder order = CapabilityOrder.of(rates, "1h", "shop");
    assertThrows(SchemaException.class, () -> console.mint(ADMINISTRATOR, null, order));
    List<String> large = new ArrayList<>(Collections.nCopies(500, "topic = orders"));
    large.add("ops = send");
    CapabilityOrder tooLarge = CapabilityOrder.of(large, "1h", "shop");
    assertThrows(SchemaException.class, () -> console.mint(ADMINISTRATOR, null, tooLarge));
  }

  static Stream<Arguments> refusedElevations() {
    return Stream.of(
        Arguments.of(null, null, "op"),
        Arguments.of("", "orders", "op"),
        Arguments.of("ops", "orders", "op"),
        Arguments.of("ADMIN", "orders", "op"),
        Arguments.of("send,admin", "orders", "op"),
        Arguments.of("dlq", "orders", "op"),
        Arguments.of("admin\nops = send", "orders", "op"),
        Arguments.of("admin", null, "topic"),
        Arguments.of("send", null, "topic"),
        Arguments.of("revoke", "orders", "topic"),
        Arguments.of("admin", "", "topic"),
        Arguments.of("admin", "orders.*", "topic"),
        Arguments.of("admin", "orders\nops = admin", "topic"),
        Arguments.of("send", "t".repeat(256), "topic"),
        Arguments.of("all", "a b", "op topic"));
  }

  @ParameterizedTest
  @MethodSource
  void refusedElevations(@Nullable String op, @Nullable String topic, String fields) {
    SchemaException refused = assertThrows(SchemaException.class, () -> Elevation.of(op, topic));
    assertEquals(
        fields,
        refused.violations().stream().map(FieldViolation::field).collect(Collectors.joining(" ")));
  }

  @Test
  void theAuditSaysWhoConfirmed() {
    console.confirmed(ANN, null, "form");
    assertEquals(
        new AuditEntry(
            nodes.time.instant(), Actor.ofConsole("ann"), "", "console.confirm", "ann", "form"),
        last());
  }

  static Stream<Arguments> roles() {
    return Stream.of(
        Arguments.of(Set.of(), null),
        Arguments.of(Set.of("admin", "Operator", "ADMINISTRATOR", ""), null),
        Arguments.of(Set.of("viewer", "x"), ConsoleRole.VIEWER),
        Arguments.of(Set.of("operator", "viewer"), ConsoleRole.OPERATOR),
        Arguments.of(Set.of("administrator"), ConsoleRole.ADMINISTRATOR),
        Arguments.of(Set.of("viewer", "administrator", "operator"), ConsoleRole.ADMINISTRATOR));
  }

  @ParameterizedTest
  @MethodSource("roles")
  void theWidestRoleCounts(Set<String> names, @Nullable ConsoleRole role) {
    assertEquals(Optional.ofNullable(role), ConsoleRole.widest(names));
  }

  @ParameterizedTest
  @EnumSource(ConsoleRole.class)
  void anAdministratorAloneElevatesAndHasAnOperatorsRightsUntilThen(ConsoleRole role) {
    assertEquals(role == ConsoleRole.ADMINISTRATOR, role.mayElevate());
    Set<String> ops = rights(mint(role)).stream().map(Operation::text).collect(Collectors.toSet());
    assertTrue(ops.containsAll(role.ops()), ops::toString);
    if (role == ConsoleRole.ADMINISTRATOR) {
      assertEquals(rights(mint(ConsoleRole.OPERATOR)), rights(mint(role)));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "ann", "Ann O'Neill", "ann@example.com", "Анна", "a\"<b>"})
  void peopleHaveNames(String name) {
    assertEquals(name, new ConsoleUser(name, ConsoleRole.VIEWER).name());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " ann", "ann ", "a\nb", "a\u0000b", "a\u202eb", "a\u2028b"})
  void whatWouldForgeALineIsNoName(String name) {
    assertThrows(IllegalArgumentException.class, () -> new ConsoleUser(name, ConsoleRole.VIEWER));
  }

  @Test
  void aNameFitsTheAudit() {
    assertTrue(ConsoleUser.isName("n".repeat(ConsoleUser.MAX_NAME)));
    assertFalse(ConsoleUser.isName("n".repeat(ConsoleUser.MAX_NAME + 1)));
  }
}
