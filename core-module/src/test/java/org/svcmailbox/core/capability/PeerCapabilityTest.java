package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;

/** The capability by which nodes know each other. */
class PeerCapabilityTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final Nodes nodes = new Nodes();
  private final Capabilities one = nodes.start();
  private final Capabilities other = nodes.start();

  private static String reason(Capabilities node, @Nullable String token) {
    return assertThrows(DeniedException.class, () -> node.requirePeer(token, null)).reason();
  }

  @Test
  void anotherNodeBelievesItForAMinute() {
    String token = one.peerToken().value();
    assertDoesNotThrow(() -> other.requirePeer(token, null));
    nodes.time.advance(PeerCapability.LIFE.minusMillis(1));
    assertDoesNotThrow(() -> other.requirePeer(token, null));
    nodes.time.advance(Duration.ofMillis(1));
    assertEquals("expired", reason(other, token));
  }

  @Test
  void aTokenIsKeptForHalfItsLife() {
    BearerToken first = one.peerToken();
    nodes.time.advance(PeerCapability.LIFE.dividedBy(2).minusNanos(1));
    assertEquals(first, one.peerToken());
    nodes.time.advance(Duration.ofNanos(1));
    assertNotEquals(first, one.peerToken());
  }

  @Test
  void noOtherCapabilityBecomesOne() {
    String operator = Nodes.operatorToken(one);
    String end = "expires < 2030-01-01T00:00:00Z";
    assertEquals("operation", reason(one, operator));
    assertEquals("operation", reason(one, Nodes.narrowed(operator, "ops = peer", end)));
    assertEquals("operation", reason(one, Nodes.narrowed(one.peerToken().value(), end)));
    assertEquals("missing", reason(one, null));
    assertEquals("invalid", reason(one, new Nodes().start().peerToken().value()));
    assertThrows(
        SchemaException.class,
        () -> one.mint(Nodes.operator(one), List.of("ops = peer"), Duration.ofHours(1)));
  }

  @Test
  void itPermitsNothingElse() {
    assertEquals(Optional.of(Denial.UNKNOWN_CAVEAT), Nodes.denial(one, one.peerToken().value()));
  }

  @Test
  void aRevokedKeyMakesNoNode() {
    String token = one.peerToken().value();
    Caller operator = Nodes.operator(one);
    String old = operator.capability().id().keyId();
    String ignored = one.rotate(operator);
    one.revoke(operator, new Revocation.OfKey(old));
    assertEquals("revoked", reason(one, token));
  }

  @Test
  void allNodesOfAKeyAreRevokedTogether() {
    String token = one.peerToken().value();
    CapabilityId id = PeerCapability.id(Nodes.operator(one).capability().id().keyId());
    one.revoke(Nodes.operator(one), new Revocation.OfNonce(id.nonce()));
    assertEquals("revoked", reason(one, token));
  }

  /** Its node has counted them. */
  @Test
  void aForwardedClientCountsNoRate() {
    nodes.perAddress = 1;
    Capabilities node = nodes.start();
    String token = Nodes.narrowed(Nodes.operatorToken(node), "rate = 1/s");
    InetAddress client = Nodes.address("192.0.2.1");
    for (int i = 0; i < 5; i++) {
      Caller caller = node.authenticateForwarded(new BearerToken(token), client);
      assertEquals(client, caller.address());
      assertDoesNotThrow(() -> node.requirePeer(node.peerToken().value(), client));
    }
    Caller unused = node.authenticate(token, client);
    assertThrows(SaturatedException.class, () -> node.authenticate(token, client));
    nodes.time.advance(SECOND);
    assertThrows(
        DeniedException.class, () -> node.authenticateForwarded(new BearerToken("forged"), client));
  }
}
