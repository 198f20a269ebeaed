package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;

/** Console users get the rights of their role, for a limited time. */
class ConsoleCapabilitiesTest {
  private static final Duration LIFE = Duration.ofMinutes(10);

  private final Nodes nodes = new Nodes();
  private final Capabilities node = nodes.start();
  private final ConsoleService console = node.forConsole(LIFE);

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
    assertEquals("console:ann", entry.actor());
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
            nodes.time.instant(), "console:ann", "", "console.signin", "ann", "form, operator"),
        last());
    console.signedOut(ann, null);
    assertEquals(
        new AuditEntry(nodes.time.instant(), "console:ann", "", "console.signout", "ann", ""),
        last());
    console.passwordChanged(ann, null);
    assertEquals(
        new AuditEntry(nodes.time.instant(), "console:ann", "", "console.password", "ann", ""),
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
  void aUserHasSoManyAndTakesNoneOfAnybodyElse() {
    nodes.maxMinted = 3;
    Capabilities small = nodes.start();
    ConsoleService users = small.forConsole(LIFE);
    for (int i = 0; i < ConsoleCapabilities.MOST_OF_USER; i++) {
      users.end(ANN, null, List.of(users.mint(ANN, null).id()));
    }
    assertEquals(
        "console_minted",
        assertThrows(SaturatedException.class, () -> users.mint(ANN, null)).reason());
    users.mint(new ConsoleUser("bob", ConsoleRole.VIEWER), null);
    Caller operator = Nodes.operator(small);
    small.mint(operator, List.of(), LIFE);
    nodes.time.advance(LIFE);
    users.mint(ANN, null);
    assertEquals(ConsoleCapabilities.MOST_OF_USER, nodes.store.revocations());
    nodes.store.purgeMintings(nodes.time.instant(), 1_000);
    assertEquals(0, nodes.store.revocations(), "nobody needs them any more");
  }

  @Test
  void theWidestRoleCounts() {
    assertEquals(Optional.empty(), ConsoleRole.widest(Set.of("admin", "Operator", "")));
    assertEquals(Optional.of(ConsoleRole.VIEWER), ConsoleRole.widest(Set.of("viewer", "x")));
    assertEquals(
        Optional.of(ConsoleRole.OPERATOR), ConsoleRole.widest(List.of("operator", "viewer")));
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
