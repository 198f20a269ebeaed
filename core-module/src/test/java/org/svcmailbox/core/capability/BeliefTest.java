package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.health.Affects;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.problem.UnavailableException;

/** Capabilities that are believed while the database is away. */
class BeliefTest {
  private static final Optional<Denial> GOOD = Optional.empty();
  private static final Optional<Denial> REVOKED = Optional.of(Denial.REVOKED);
  private static final Optional<Denial> UNVERIFIED = Optional.of(Denial.UNVERIFIED);
  private static final Duration NANO = Duration.ofNanos(1);
  private static final TopicName ORDERS = new TopicName("orders");
  private static final Vital AWAY = Vital.down(Part.DATABASE, "away");

  private final Nodes nodes = new Nodes();
  private final Capabilities node = nodes.start();
  private final Caller operator = Nodes.operator(node);

  private Minted mint() {
    return node.mint(operator, List.of(), Duration.ofDays(1));
  }

  private void revokeElsewhere(CapabilityId id) {
    nodes.store.revoke(
        id.nonce(),
        id.keyId(),
        new AuditEntry(nodes.time.instant(), new Actor("elsewhere", null), "", "", "", ""));
  }

  @Test
  void aVerifiedCapabilityIsBelievedForTheSettingsBoundAndThenNoMore() {
    Minted one = mint();
    nodes.time.advance(Nodes.TTL);
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    nodes.store.away(true);
    nodes.time.advance(Nodes.OUTAGE.minus(NANO));
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    Caller caller = node.authenticate(one.token(), null);
    for (Operation operation :
        List.of(Operation.SEND, Operation.RECV, Operation.ACK, Operation.NACK, Operation.EXTEND)) {
      assertEquals(GOOD, caller.denial(operation, ORDERS), operation::name);
    }
    nodes.time.advance(NANO);
    assertEquals(UNVERIFIED, Nodes.denial(node, one.token()));
    nodes.store.away(false);
    assertEquals(GOOD, Nodes.denial(node, one.token()));
  }

  @Test
  void beliefNeedsNoTokenThatWasSeenBefore() {
    Minted one = mint();
    nodes.store.away(true);
    nodes.time.advance(Nodes.TTL);
    assertEquals(GOOD, Nodes.denial(node, Nodes.narrowed(one.token(), "ops = send,recv")));
  }

  @Test
  void whatThisNodeMintedNeedsNoLookUp() {
    Minted one = mint();
    ConsoleUser user = new ConsoleUser("ann", ConsoleRole.OPERATOR);
    Minted console = node.forConsole(ConsoleCapabilitiesTest.TERMS).mint(user, null);
    int asked = nodes.store.asked();
    nodes.store.away(true);
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    assertEquals(GOOD, node.authenticate(console.token(), null).denial(Operation.DLQ, ORDERS));
    assertEquals(asked, nodes.store.asked());
  }

  private static @Nullable String name(Capabilities node, String token) {
    return node.authenticate(token, null).actor().name();
  }

  @Test
  void aNoteNamesItsHoldersOnEachNodeWithoutAFurtherQuestion() {
    Minted one = node.mint(operator, List.of(), Duration.ofDays(1), "shop 7");
    Minted console =
        node.forConsole(ConsoleCapabilitiesTest.TERMS)
            .mint(new ConsoleUser("ann", ConsoleRole.VIEWER), null);
    Capabilities other = nodes.start();
    int asked = nodes.store.asked();
    assertEquals("shop 7", name(node, one.token()));
    assertEquals("console:ann", name(node, console.token()));
    assertEquals(asked, nodes.store.asked());
    assertEquals("shop 7", name(other, one.token()));
    assertEquals("shop 7", name(other, Nodes.narrowed(one.token(), "ops = send")));
    assertEquals("console:ann", name(other, console.token()));
    assertNull(name(other, mint().token()));
    assertEquals(asked + 3, nodes.store.asked());
    nodes.store.away(true);
    nodes.time.advance(Nodes.TTL);
    assertEquals("shop 7", name(other, one.token()), "also in an outage");
  }

  @Test
  void aRevocationThatThisNodeSawStaysInAnOutage() {
    Minted one = mint();
    node.revoke(operator, new Revocation.OfNonce(one.id().nonce()));
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
    nodes.store.away(true);
    nodes.time.advance(Nodes.OUTAGE.minusSeconds(1));
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
    nodes.time.advance(Nodes.OUTAGE);
    assertEquals(UNVERIFIED, Nodes.denial(node, one.token()));
  }

  @Test
  void aRevocationTakesNobodyElsesBelief() {
    Minted one = mint();
    Minted other = mint();
    node.revoke(operator, new Revocation.OfCapability(one.token()));
    nodes.store.away(true);
    assertEquals(GOOD, Nodes.denial(node, other.token()));
  }

  @Test
  void aRevocationThatFailsInAnOutageEndsTheBeliefInThatCapabilityAlone() {
    Minted one = mint();
    Minted other = mint();
    nodes.store.away(true);
    assertThrows(
        UnavailableException.class,
        () -> node.revoke(operator, new Revocation.OfNonce(one.id().nonce())));
    assertEquals(UNVERIFIED, Nodes.denial(node, one.token()));
    assertEquals(GOOD, Nodes.denial(node, other.token()));
    nodes.time.advance(Duration.ofMinutes(9));
    assertEquals(UNVERIFIED, Nodes.denial(node, one.token()));
    nodes.store.away(false);
    assertEquals(GOOD, Nodes.denial(node, one.token()), "nothing was revoked");
  }

  @Test
  void aKeysRevocationThatFailsEndsTheBeliefInAllThatItMinted() {
    Minted one = mint();
    node.rotate(operator);
    Minted later = mint();
    nodes.store.away(true);
    assertThrows(
        UnavailableException.class,
        () -> node.revoke(operator, new Revocation.OfKey(one.id().keyId())));
    assertEquals(UNVERIFIED, Nodes.denial(node, one.token()));
    assertEquals(GOOD, Nodes.denial(node, later.token()));
  }

  @Test
  void onlyAnOperatorEndsABelief() {
    Minted one = mint();
    Caller client = node.authenticate(Nodes.narrowed(one.token(), "ops = send"), null);
    nodes.store.away(true);
    assertThrows(
        DeniedException.class,
        () -> node.revoke(client, new Revocation.OfNonce(operator.capability().id().nonce())));
    assertEquals(GOOD, node.authenticate(one.token(), null).denial(Operation.ADMIN, null));
  }

  /** Runs {@code meanwhile} between the next answer of the store and its arrival. */
  private void onTheWay(Runnable meanwhile) {
    nodes.store.onTheWay(
        () -> {
          nodes.store.onTheWay(() -> {});
          meanwhile.run();
        });
  }

  @Test
  void anAnswerThatARevocationOvertookIsNotBelieved() {
    Minted one = mint();
    nodes.time.advance(Nodes.TTL);
    onTheWay(() -> node.revoke(operator, new Revocation.OfNonce(one.id().nonce())));
    assertEquals(REVOKED, Nodes.denial(node, one.token()), "the caller is asked again");
  }

  @Test
  void anAnswerThatAFailedRevocationOvertookIsNotBelieved() {
    Minted one = mint();
    nodes.time.advance(Nodes.TTL);
    onTheWay(
        () -> {
          nodes.store.away(true);
          assertThrows(
              UnavailableException.class,
              () -> node.revoke(operator, new Revocation.OfNonce(one.id().nonce())));
        });
    assertEquals(GOOD, Nodes.denial(node, one.token()), "it asked before");
    assertEquals(UNVERIFIED, Nodes.denial(node, one.token()));
  }

  @Test
  void anAnswerThatAnotherRevocationOvertookIsBelievedFromItsQuestionOn() {
    Minted one = mint();
    Minted other = mint();
    nodes.time.advance(Nodes.TTL);
    onTheWay(() -> node.revoke(operator, new Revocation.OfNonce(other.id().nonce())));
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    nodes.store.away(true);
    nodes.time.advance(Nodes.OUTAGE.minus(NANO));
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    nodes.time.advance(NANO);
    assertEquals(UNVERIFIED, Nodes.denial(node, one.token()));
  }

  @Test
  void aRevocationElsewhereIsSeenWithTheDatabasesReturn() {
    Minted one = mint();
    revokeElsewhere(one.id());
    nodes.store.away(true);
    nodes.time.advance(Nodes.OUTAGE.minusSeconds(1));
    assertEquals(GOOD, Nodes.denial(node, one.token()), "delayed by the outage");
    nodes.store.away(false);
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
  }

  @Test
  void aNodeThatStartsInAnOutageBelievesNothing() {
    Minted one = mint();
    Capabilities another = nodes.start();
    nodes.store.away(true);
    assertEquals(UNVERIFIED, Nodes.denial(another, one.token()));
    assertFalse(another.vital(AWAY).up());
  }

  @Test
  void readinessSaysForHowLongCapabilitiesAreBelieved() {
    nodes.time.advance(Nodes.TTL);
    assertEquals(GOOD, Nodes.denial(node, Nodes.operatorToken(node)));
    assertEquals(Vital.up(Part.CAPABILITIES), node.vital(Vital.up(Part.DATABASE)));
    nodes.store.away(true);
    nodes.time.advance(Duration.ofMinutes(2));
    Vital believed = node.vital(AWAY);
    assertTrue(believed.up());
    assertEquals(
        "the database is away: capabilities verified within the last 600 s are believed, for"
            + " 480 s at most; a revocation made elsewhere meanwhile is not seen",
        believed.detail());
    nodes.time.advance(Duration.ofMinutes(8).minus(NANO));
    assertTrue(node.vital(AWAY).up());
    nodes.time.advance(NANO);
    assertEquals(
        Vital.down(
            Part.CAPABILITIES,
            "the database is away and no capability was verified within the last 600 s"),
        node.vital(AWAY));
    assertEquals(Affects.READS, Part.CAPABILITIES.affects());
  }

  @Test
  void readinessCountsNoCapabilityThatNoCallerUsed() {
    String token = Nodes.operatorToken(node);
    Capabilities another = nodes.start();
    assertEquals(Optional.empty(), another.operatorCapability(Optional.of(token)));
    assertFalse(another.vital(AWAY).up(), "the service's own question");
    Minted one = another.mint(operator, List.of(), Duration.ofDays(1));
    assertFalse(another.vital(AWAY).up(), "minted only");
    assertEquals(GOOD, Nodes.denial(another, one.token()));
    assertTrue(another.vital(AWAY).up());
  }

  @Test
  void readinessCountsNoCapabilityThatWasRevoked() {
    Minted one = mint();
    Capabilities another = nodes.start();
    assertEquals(GOOD, Nodes.denial(another, one.token()));
    assertTrue(another.vital(AWAY).up());
    another.revoke(operator, new Revocation.OfNonce(one.id().nonce()));
    assertFalse(another.vital(AWAY).up());
    assertEquals(REVOKED, Nodes.denial(another, one.token()));
    assertFalse(another.vital(AWAY).up(), "a refusal lets nobody in");
  }

  @Test
  void readinessGoesBackToTheCapabilityBeforeTheRevokedOne() {
    Minted one = mint();
    Minted other = mint();
    nodes.time.advance(Nodes.TTL);
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    nodes.time.advance(Duration.ofSeconds(60));
    assertEquals(GOOD, Nodes.denial(node, other.token()));
    nodes.store.away(true);
    assertTrue(node.vital(AWAY).detail().contains("for 600 s at most"));
    assertThrows(
        UnavailableException.class,
        () -> node.revoke(operator, new Revocation.OfNonce(other.id().nonce())));
    assertTrue(node.vital(AWAY).detail().contains("for 540 s at most"));
  }

  @Test
  void whileOneCallAsksTheOthersOfThatCapabilityBelieve() {
    Minted one = mint();
    nodes.time.advance(Nodes.TTL);
    int before = nodes.store.asked();
    onTheWay(
        () -> {
          assertEquals(GOOD, Nodes.denial(node, one.token()));
          assertEquals(before + 1, nodes.store.asked(), "another call asked as well");
        });
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    nodes.time.advance(Nodes.TTL);
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    assertEquals(before + 2, nodes.store.asked());
  }

  @Test
  void beliefIsCounted() {
    Minted one = mint();
    nodes.time.advance(Nodes.TTL);
    nodes.store.away(true);
    double before = believed();
    assertEquals(GOOD, Nodes.denial(node, one.token()));
    assertEquals(before + 1, believed());
  }

  private double believed() {
    return node.metrics().stream()
        .filter(metric -> metric.family().text().equals("capability_believed_total"))
        .findFirst()
        .orElseThrow()
        .now();
  }
}
