package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;

/** Keys and revocations of the moments that a database has lost. */
class FallenBackCapabilitiesTest {
  private static final Duration LONG = Duration.ofMinutes(6);
  private static final Optional<Denial> GOOD = Optional.empty();
  private static final Optional<Denial> REVOKED = Optional.of(Denial.REVOKED);

  private final Nodes nodes = new Nodes();
  private final Capabilities node = nodes.start();

  private Minted mint() {
    return node.mint(Nodes.operator(node), List.of(), Duration.ofDays(1));
  }

  private AuditEntry last() {
    List<AuditEntry> audit = nodes.store.audit();
    return audit.get(audit.size() - 1);
  }

  @Test
  void aCapabilityThatWasRevokedStaysRevoked() {
    Minted one = mint();
    Minted other = mint();
    Caller operator = Nodes.operator(node);
    InMemoryCapabilityStore older = nodes.store.copy();
    node.revoke(operator, new Revocation.OfNonce(one.id().nonce()));
    node.revoke(operator, new Revocation.OfCapability(other.token()));
    nodes.store.replaceBy(older);
    node.restore();
    node.restore();

    nodes.time.advance(LONG);
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
    assertEquals(REVOKED, Nodes.denial(nodes.start(), other.token()));
    assertEquals(2, nodes.store.revocations());
    assertEquals(
        List.of("capability.revoke", "service", "again: the database fell back"),
        List.of(last().action(), last().actor().id(), last().note()));
  }

  @Test
  void aKeyThatWasRevokedStaysRevoked() {
    Minted one = mint();
    node.rotate(Nodes.operator(node));
    Caller operator = Nodes.operator(node);
    InMemoryCapabilityStore older = nodes.store.copy();
    node.revoke(operator, new Revocation.OfKey(one.id().keyId()));
    nodes.store.replaceBy(older);
    node.restore();
    nodes.time.advance(LONG);
    assertEquals(REVOKED, Nodes.denial(nodes.start(), one.token()));
  }

  @Test
  void aRevocationIsWrittenAgainAfterAnOutageAsLongAsBeliefAllows() {
    Minted one = mint();
    Caller operator = Nodes.operator(node);
    InMemoryCapabilityStore older = nodes.store.copy();
    node.revoke(operator, new Revocation.OfNonce(one.id().nonce()));
    nodes.store.away(true);
    nodes.time.advance(Nodes.OUTAGE.minusMillis(1));
    nodes.store.away(false);
    nodes.store.replaceBy(older);
    node.restore();
    assertEquals(REVOKED, Nodes.denial(nodes.start(), one.token()));
  }

  @Test
  void anOlderDatabaseIsNotBelievedAboutACapabilityThatThisNodeRevoked() {
    Minted one = mint();
    node.rotate(Nodes.operator(node));
    Minted other = mint();
    Caller operator = Nodes.operator(node);
    InMemoryCapabilityStore older = nodes.store.copy();
    node.revoke(operator, new Revocation.OfKey(one.id().keyId()));
    node.revoke(operator, new Revocation.OfNonce(other.id().nonce()));
    nodes.time.advance(Nodes.OUTAGE.minusMillis(1));
    nodes.store.replaceBy(older);
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
    assertEquals(REVOKED, Nodes.denial(node, other.token()));
    node.restore();
    nodes.store.away(true);
    nodes.time.advance(LONG);
    assertEquals(REVOKED, Nodes.denial(node, one.token()));
    assertEquals(REVOKED, Nodes.denial(node, other.token()));
  }

  @Test
  void aKeyThatWasMadeIsStoredAgain() {
    Caller operator = Nodes.operator(node);
    InMemoryCapabilityStore older = nodes.store.copy();
    String key = node.rotate(operator);
    Minted one = mint();
    nodes.store.replaceBy(older);
    node.restore();
    assertEquals(key, mint().id().keyId(), "it still mints");
    assertEquals(GOOD, Nodes.denial(nodes.start(), one.token()));
    assertTrue(nodes.store.keys().stream().anyMatch(stored -> stored.id().equals(key)));
  }
}
