package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/** The machine operator's capability is rewritten only when necessary. */
class OperatorCapabilityTest {
  private final Nodes nodes = new Nodes();
  private final Capabilities node = nodes.start();

  private void isReplaced(String before) {
    String token = node.operatorCapability(Optional.of(before)).orElseThrow();
    assertNotEquals(before, token);
    isKept(token);
  }

  private void isKept(String before) {
    assertEquals(Optional.empty(), node.operatorCapability(Optional.of(before)));
  }

  @Test
  void thereIsOneThatAllowsEverythingAndDoesNotEnd() {
    String token = Nodes.operatorToken(node);
    nodes.time.advance(Duration.ofDays(10_000));
    Caller operator = node.authenticate(token, null);
    for (Operation operation : Operation.values()) {
      assertEquals(Optional.empty(), operator.denial(operation, null));
      assertEquals(Optional.empty(), operator.denial(operation, new TopicName("orders")));
    }
    assertEquals(Optional.empty(), operator.capability().expires());
  }

  @Test
  void anEmptyFileIsLeftAlone() {
    isKept("");
    assertEquals(
        0, nodes.store.list(ListedCapability.Kind.ALL, "", 10, nodes.time.instant()).size());
  }

  @Test
  void itsMakingIsInTheAuditAndItIsNot() {
    String token = Nodes.operatorToken(node);
    AuditEntry entry = nodes.store.audit().get(1);
    assertEquals("capability.mint", entry.action());
    assertEquals(Actor.SERVICE, entry.actor());
    assertEquals(node.authenticate(token, null).capability().id().nonce(), entry.subject());
    assertFalse(entry.toString().contains(token));
  }

  @Test
  void aGoodOneStaysAlsoAfterARotation() {
    String token = Nodes.operatorToken(node);
    isKept(token);
    node.rotate(Nodes.operator(node));
    isKept(token);
    isKept(Nodes.narrowed(token, "ops = admin"));
  }

  @Test
  void whatIsNoCapabilityIsReplaced() {
    isReplaced("nonsense");
    isReplaced(Nodes.operatorToken(new Nodes().start()));
  }

  @Test
  void whatAllowsLessThanAnOperatorNeedsIsReplaced() {
    String token = Nodes.operatorToken(node);
    isReplaced(Nodes.narrowed(token, "ops = send"));
    isReplaced(Nodes.narrowed(token, "topic = orders"));
    isReplaced(Nodes.narrowed(token, "expires < 2020-01-01T00:00:00Z"));
  }

  @Test
  void aRevokedOneIsReplaced() {
    String token = Nodes.operatorToken(node);
    node.revoke(Nodes.operator(node), new Revocation.OfCapability(token));
    isReplaced(token);
  }

  @Test
  void oneOfARevokedKeyIsReplacedAlsoByANodeThatStarts() {
    String token = Nodes.operatorToken(node);
    String key = nodes.store.keys().get(0).id();
    node.rotate(Nodes.operator(node));
    node.revoke(Nodes.operator(node), new Revocation.OfKey(key));
    isReplaced(token);
    assertFalse(nodes.start().operatorCapability(Optional.of(token)).isEmpty());
  }

  @Test
  void withoutTheStoreNoneIsWritten() {
    String token = Nodes.operatorToken(node);
    nodes.time.advance(Nodes.OUTAGE);
    nodes.store.away(true);
    assertThrows(UnavailableException.class, () -> node.operatorCapability(Optional.of(token)));
    assertThrows(UnavailableException.class, () -> node.operatorCapability(Optional.empty()));
    nodes.store.away(false);
    isKept(token);
  }
}
