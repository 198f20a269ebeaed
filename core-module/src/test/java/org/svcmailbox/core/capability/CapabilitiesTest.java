package org.svcmailbox.core.capability;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.store.CapabilityStore.StoredKey;
import org.svcmailbox.core.problem.SaturatedException;

/** A node's root keys, and which of them mints. */
class CapabilitiesTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final RootKey FIRST = RootKey.of("first".getBytes(UTF_8));
  private static final RootKey SECOND_KEY = RootKey.of("second".getBytes(UTF_8));

  private final Nodes nodes = new Nodes();

  private List<String> made() {
    return nodes.store.keys().stream().map(StoredKey::id).toList();
  }

  /** The id of the key that mints. */
  private static String current(Capabilities node) {
    Caller operator = Nodes.operator(node);
    return node.mint(operator, List.of(), SECOND).id().keyId();
  }

  private static void invalid(Capabilities node, String token) {
    DeniedException denied =
        assertThrows(DeniedException.class, () -> node.authenticate(token, null));
    assertEquals("invalid", denied.reason());
  }

  @Test
  void theFirstStartMakesAKeyAndTheSecondNone() {
    String token = Nodes.operatorToken(nodes.start());
    assertEquals(1, made().size());
    AuditEntry entry = nodes.store.audit().get(0);
    assertEquals("capability.rotate", entry.action());
    assertEquals(Actor.SERVICE, entry.actor());
    assertEquals(made().get(0), entry.subject());

    Capabilities again = nodes.start();
    assertEquals(1, made().size());
    assertEquals(Optional.empty(), Nodes.denial(again, token));
    assertEquals(made().get(0), current(again));
  }

  @Test
  void twoServicesDoNotMakeTheSameKey() {
    Nodes others = new Nodes();
    invalid(nodes.start(), Nodes.operatorToken(others.start()));
    assertNotEquals(made(), others.store.keys().stream().map(StoredKey::id).toList());
  }

  @Test
  void theFirstKeyOfTheConfigurationMintsAndAllOfThemVerify() {
    nodes.configured.put("z", FIRST);
    nodes.configured.put("a", SECOND_KEY);
    Capabilities node = nodes.start();
    assertEquals(List.of(), made());
    assertEquals("z", current(node));
    CapabilityId id = CapabilityId.of("a", new byte[CapabilityId.NONCE_BYTES]);
    String token = Macaroon.mint(SECOND_KEY, "", id.bytes()).token();
    assertEquals(Optional.empty(), Nodes.denial(node, token));
  }

  @Test
  void aKeyThatIsConfiguredNoMoreIsNoKey() {
    nodes.configured.put("a", FIRST);
    String token = Nodes.operatorToken(nodes.start());
    nodes.configured.clear();
    invalid(nodes.start(), token);
  }

  @Test
  void afterARotationTheNewKeyMintsAndTheOldOnesStayGood() {
    nodes.configured.put("a", FIRST);
    Capabilities node = nodes.start();
    String old = Nodes.operatorToken(node);
    String first = node.rotate(Nodes.operator(node));
    String second = node.rotate(Nodes.operator(node));
    assertEquals(List.of(first, second), made());
    assertEquals(second, current(node));
    assertEquals(second, current(nodes.start()), "also after a restart");
    assertEquals(Optional.empty(), Nodes.denial(node, old));
    assertEquals(
        List.of(first, second),
        nodes.store.audit().stream()
            .filter(entry -> entry.action().equals("capability.rotate"))
            .map(AuditEntry::subject)
            .toList());
  }

  @Test
  void whenEveryKeyIsRevokedAnotherIsMadeAtTheStart() {
    nodes.configured.put("a", FIRST);
    nodes.configured.put("b", SECOND_KEY);
    Capabilities node = nodes.start();
    node.revoke(Nodes.operator(node), new Revocation.OfKey("b"));
    nodes.configured.remove("a");
    Capabilities next = nodes.start();
    assertEquals(1, made().size());
    assertEquals(made().get(0), current(next));
  }

  @Test
  void aRevokedKeyIsNotMintedWithAlsoWhenItIsTheFirst() {
    nodes.configured.put("a", FIRST);
    Capabilities node = nodes.start();
    node.rotate(Nodes.operator(node));
    node.revoke(Nodes.operator(node), new Revocation.OfKey("a"));
    assertEquals(made().get(0), current(node));
    assertEquals(made().get(0), current(nodes.start()));
  }

  @Test
  void thereIsAMostOfKeysThatAreMade() {
    Capabilities node = nodes.start();
    StoredKey one = nodes.store.keys().get(0);
    AuditEntry entry = nodes.store.audit().get(0);
    for (int i = made().size(); i < Keyring.MOST_MADE - 1; i++) {
      nodes.store.add(new StoredKey("k" + i, one.secret(), one.createdAt()), entry);
    }
    Caller operator = Nodes.operator(node);
    node.rotate(operator);
    SaturatedException full = assertThrows(SaturatedException.class, () -> node.rotate(operator));
    assertEquals("root_keys", full.reason());
    assertEquals(Keyring.MOST_MADE, made().size());
  }

  @Test
  void rotatingNeedsAnOperator() {
    Capabilities node = nodes.start();
    String token = Nodes.narrowed(Nodes.operatorToken(node), "ops = send,recv");
    Caller client = node.authenticate(token, null);
    assertThrows(DeniedException.class, () -> node.rotate(client));
    assertEquals(1, made().size());
  }

  @Test
  void aKeyThatAnotherNodeMadeIsLookedForAtMostOnceASecond() {
    Capabilities here = nodes.start();
    Capabilities there = nodes.start();
    Caller operator = Nodes.operator(there);
    there.rotate(operator);
    String token = there.mint(operator, List.of(), Duration.ofHours(1)).token();
    invalid(here, token);
    nodes.time.advance(SECOND.minusNanos(1));
    invalid(here, token);
    nodes.time.advance(Duration.ofNanos(1));
    assertEquals(Optional.empty(), Nodes.denial(here, token));

    there.rotate(operator);
    String next = there.mint(operator, List.of(), Duration.ofHours(1)).token();
    invalid(here, next);
    nodes.time.advance(SECOND);
    assertEquals(Optional.empty(), Nodes.denial(here, next));
  }

  @Test
  void aNodeMintsWithTheKeyThatAnotherNodeMade() {
    Capabilities here = nodes.start();
    Capabilities there = nodes.start();
    Caller operator = Nodes.operator(here);
    String old = made().get(0);
    String fresh = there.rotate(Nodes.operator(there));
    there.revoke(Nodes.operator(there), new Revocation.OfKey(old));
    CapabilityService.Minted minted = here.mint(operator, List.of(), Duration.ofHours(1));
    assertEquals(fresh, minted.id().keyId());
    assertEquals(Optional.empty(), Nodes.denial(here, minted.token()));
    assertEquals(Optional.empty(), Nodes.denial(there, minted.token()));
  }
}
