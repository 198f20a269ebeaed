package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;

/** Revocations, the callers that may make them, and when each node learns of them. */
class RevokingTest {
  private static final Optional<Denial> GOOD = Optional.empty();
  private static final Optional<Denial> REVOKED = Optional.of(Denial.REVOKED);

  private final Nodes nodes = new Nodes();

  private static Minted mint(Capabilities node) {
    return node.mint(Nodes.operator(node), List.of(), Duration.ofDays(1));
  }

  private static void revoke(Capabilities node, Revocation what) {
    node.revoke(Nodes.operator(node), what);
  }

  private static String field(Capabilities node, Revocation what) {
    return assertThrows(SchemaException.class, () -> revoke(node, what))
        .violations()
        .get(0)
        .field();
  }

  @Test
  void oneIsRevokedByItsTokenWithAllThatWasNarrowedFromItAndNoOther() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    Minted other = mint(node);
    String before = Nodes.narrowed(one.token(), "ops = send,recv");
    String beforeThat = Nodes.narrowed(before, "rate = 9/s");
    assertEquals(GOOD, Nodes.denial(node, before));
    revoke(node, new Revocation.OfCapability(one.token()));
    for (String token :
        List.of(one.token(), before, beforeThat, Nodes.narrowed(one.token(), "ops = send"))) {
      assertEquals(REVOKED, Nodes.denial(node, token));
    }
    assertEquals(GOOD, Nodes.denial(node, other.token()));
  }

  @Test
  void whatWasNarrowedTakesWhatItWasNarrowedFromWithIt() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    revoke(node, new Revocation.OfCapability(Nodes.narrowed(one.token(), "ops = send")));
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
  }

  @Test
  void oneIsRevokedByItsNonce() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    revoke(node, new Revocation.OfNonce(one.id().nonce()));
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
    assertEquals(1, nodes.store.revocations());
  }

  @Test
  void aKeyIsRevokedWithAllThatItMinted() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    node.rotate(Nodes.operator(node));
    Minted later = mint(node);
    revoke(node, new Revocation.OfKey(one.id().keyId()));
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
    assertEquals(GOOD, Nodes.denial(node, later.token()));
  }

  @Test
  void theKeyThatIsMintedWithAndOneThatIsNotThereAreNotRevoked() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    assertEquals("key_id", field(node, new Revocation.OfKey(one.id().keyId())));
    assertThrows(NotFoundException.class, () -> revoke(node, new Revocation.OfKey("k-00000000")));
    assertEquals(GOOD, Nodes.denial(node, one.token()));
  }

  @Test
  void whatAnotherNodeMintsWithIsNotRevokedEither() {
    Capabilities here = nodes.start();
    Capabilities there = nodes.start();
    String fresh = there.rotate(Nodes.operator(there));
    assertEquals("key_id", field(here, new Revocation.OfKey(fresh)));
  }

  @Test
  void aTokenThatIsNoneOfOursRevokesNothing() {
    Capabilities node = nodes.start();
    String forged = Nodes.operatorToken(new Nodes().start());
    assertEquals("capability", field(node, new Revocation.OfCapability(forged)));
    assertEquals("capability", field(node, new Revocation.OfCapability("nonsense")));
    assertEquals(0, nodes.store.revocations());
  }

  @Test
  void onlyAnOperatorRevokes() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    Caller client = node.authenticate(Nodes.narrowed(one.token(), "ops = send"), null);
    assertThrows(
        DeniedException.class, () -> node.revoke(client, new Revocation.OfCapability(one.token())));
    assertEquals(GOOD, Nodes.denial(node, one.token()));
  }

  @Test
  void eachIsInTheAudit() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    node.rotate(Nodes.operator(node));
    int before = nodes.store.audit().size();
    Caller operator = Nodes.operator(node);
    node.revoke(operator, new Revocation.OfCapability(one.token()));
    node.revoke(operator, new Revocation.OfNonce(one.id().nonce()));
    node.revoke(operator, new Revocation.OfKey(one.id().keyId()));
    CapabilityId actor = operator.capability().id();
    List<AuditEntry> written =
        nodes.store.audit().stream()
            .skip(before)
            .filter(e -> !e.note().equals("operator.cap"))
            .toList();
    assertEquals(
        List.of("capability.revoke", "capability.revoke", "capability.revoke_key"),
        written.stream().map(AuditEntry::action).toList());
    assertEquals(
        List.of(one.id().nonce(), one.id().nonce(), one.id().keyId()),
        written.stream().map(AuditEntry::subject).toList());
    written.forEach(e -> assertEquals(actor.keyId() + ":" + actor.nonce(), e.actor().id()));
  }

  @Test
  void thereIsAMostOfRevocationsAndARevokedKeyMakesRoom() {
    nodes.maxRevoked = 2;
    Capabilities node = nodes.start();
    String key = mint(node).id().keyId();
    Minted first = mint(node);
    revoke(node, new Revocation.OfCapability(first.token()));
    revoke(node, new Revocation.OfCapability(mint(node).token()));
    revoke(node, new Revocation.OfNonce(first.id().nonce()));
    Minted third = mint(node);
    SaturatedException full =
        assertThrows(
            SaturatedException.class,
            () -> revoke(node, new Revocation.OfCapability(third.token())));
    assertEquals("max_revoked", full.reason());
    assertEquals(GOOD, Nodes.denial(node, third.token()));
    node.rotate(Nodes.operator(node));
    revoke(node, new Revocation.OfKey(key));
    assertEquals(REVOKED, Nodes.denial(node, third.token()));
    revoke(node, new Revocation.OfCapability(mint(node).token()));
    assertEquals(1, nodes.store.revocations());
  }

  @Test
  void thisNodeKnowsAtOnceAlsoForThoseWhoAreLetInAlready() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    Caller inside = node.authenticate(one.token(), null);
    revoke(node, new Revocation.OfCapability(one.token()));
    assertEquals(REVOKED, inside.denial(Operation.SEND, null));

    Minted ofKey = mint(node);
    Caller insideToo = node.authenticate(ofKey.token(), null);
    node.rotate(Nodes.operator(node));
    revoke(node, new Revocation.OfKey(ofKey.id().keyId()));
    assertEquals(REVOKED, insideToo.denial(Operation.SEND, null));
  }

  @Test
  void anotherNodeKnowsWhenWhatItBelievesIsAsOldAsItMayBeAndNotLater() {
    Capabilities here = nodes.start();
    Capabilities there = nodes.start();
    Minted one = mint(here);
    Minted unseen = mint(here);
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    revoke(here, new Revocation.OfCapability(one.token()));
    revoke(here, new Revocation.OfCapability(unseen.token()));
    assertEquals(REVOKED, Nodes.denial(here, one.token()));
    assertEquals(REVOKED, Nodes.denial(there, unseen.token()), "there was nothing to believe");
    nodes.time.advance(Nodes.TTL.minusNanos(1));
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    nodes.time.advance(Duration.ofNanos(1));
    assertEquals(REVOKED, Nodes.denial(there, one.token()));
  }

  @Test
  void anotherNodeKnowsOfAKeyAsSoonAsOfACapability() {
    Capabilities here = nodes.start();
    Capabilities there = nodes.start();
    Minted one = mint(here);
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    here.rotate(Nodes.operator(here));
    revoke(here, new Revocation.OfKey(one.id().keyId()));
    nodes.time.advance(Nodes.TTL);
    assertEquals(REVOKED, Nodes.denial(there, one.token()));
  }

  @Test
  void whenItEndsAllThatWasNarrowedFromItEnds() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    String narrowed = Nodes.narrowed(one.token(), "expires < 2030-01-01T00:00:00Z");
    nodes.time.advance(Duration.ofDays(1).minusMillis(1));
    assertEquals(GOOD, Nodes.denial(node, narrowed));
    nodes.time.advance(Duration.ofMillis(1));
    assertEquals(Optional.of(Denial.EXPIRED), Nodes.denial(node, narrowed));
    assertEquals(Optional.of(Denial.EXPIRED), Nodes.denial(node, one.token()));
  }

  @Test
  void withoutTheStoreNothingIsRevoked() {
    Capabilities node = nodes.start();
    Minted one = mint(node);
    Caller operator = Nodes.operator(node);
    nodes.store.away(true);
    assertThrows(
        UnavailableException.class,
        () -> node.revoke(operator, new Revocation.OfCapability(one.token())));
    nodes.store.away(false);
    assertEquals(GOOD, Nodes.denial(node, one.token()));
  }
}
