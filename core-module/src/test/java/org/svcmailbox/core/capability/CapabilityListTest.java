package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.capability.CapabilityService.CapabilityPage;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.core.problem.SaturatedException;

class CapabilityListTest {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Nodes nodes = new Nodes();

  private static Minted mint(Capabilities node, Caller operator) {
    return node.mint(operator, List.of("ops = send"), HOUR);
  }

  @Test
  void everythingThatWasMintedIsListedInPages() {
    Capabilities node = nodes.start();
    Caller operator = Nodes.operator(node);
    List<String> minted = new ArrayList<>(List.of(operator.capability().id().nonce()));
    IntStream.range(0, 5).mapToObj(i -> mint(node, operator).id().nonce()).forEach(minted::add);

    List<ListedCapability> all = new ArrayList<>();
    CapabilityPage page = node.list(operator, ListedCapability.Kind.ALL, "", 4);
    assertEquals(4, page.capabilities().size());
    all.addAll(page.capabilities());
    page = node.list(operator, ListedCapability.Kind.ALL, String.valueOf(page.next()), 4);
    assertNull(page.next());
    all.addAll(page.capabilities());
    assertEquals(
        minted.stream().sorted().toList(), all.stream().map(ListedCapability::nonce).toList());
  }

  @Test
  void itSaysByWhomWithWhatAndUntilWhen() {
    Capabilities node = nodes.start();
    Caller operator = Nodes.operator(node);
    Minted minted = mint(node, operator);
    ListedCapability listed =
        node.list(operator, ListedCapability.Kind.ALL, "", 10).capabilities().stream()
            .filter(one -> minted.id().nonce().equals(one.nonce()))
            .findFirst()
            .orElseThrow();
    CapabilityId by = operator.capability().id();
    Minting expected =
        new Minting(
            minted.id(),
            List.of("ops = send", "expires < " + minted.expires()),
            new Actor(by.keyId() + ":" + by.nonce(), "operator.cap"),
            nodes.time.instant(),
            minted.expires(),
            null);
    assertEquals(
        new ListedCapability("nonce:" + minted.id().nonce(), minted.id().keyId(), expected, null),
        listed);
    String secret = minted.token().substring(minted.token().length() - 40);
    assertFalse(listed.toString().contains(secret));
  }

  @Test
  void onlyAnOperatorSeesThem() {
    Capabilities node = nodes.start();
    String root = Nodes.operatorToken(node);
    for (String narrow : List.of("ops = send,recv,ack,nack,extend,peek,dlq", "topic = orders")) {
      Caller caller = node.authenticate(Nodes.narrowed(root, narrow), null);
      assertThrows(
          DeniedException.class, () -> node.list(caller, ListedCapability.Kind.ALL, "", 1), narrow);
    }
  }

  @Test
  void aMinterHasAShareOfThemAndOthersTheRest() {
    nodes.maxMinted = 11;
    nodes.fairShare = 75;
    Capabilities node = nodes.start();
    Caller operator = Nodes.operator(node);
    Minted ofGreedy = node.mint(operator, List.of("ops = admin"), HOUR.multipliedBy(2));
    Caller greedy = node.authenticate(ofGreedy.token(), null);
    // With the operator's, two are taken.
    for (int i = 0; i < 6; i++) {
      mint(node, greedy);
    }
    SaturatedException full = assertThrows(SaturatedException.class, () -> mint(node, greedy));
    assertEquals("max_minted", full.reason());
    assertTrue(full.toString().contains("its share"), full::toString);
    mint(node, operator);

    mint(node, operator);
    nodes.time.advance(HOUR.plusSeconds(1));
    assertEquals(10, nodes.store.mintings(), "what is over counts until it is removed");
    mint(node, greedy);
  }

  @Test
  void thereIsAMostAndTheEndOfACapabilityOrItsKeyMakesRoom() {
    nodes.maxMinted = 3;
    Capabilities node = nodes.start();
    Caller operator = Nodes.operator(node);
    String key = mint(node, operator).id().keyId();
    mint(node, operator);
    SaturatedException full = assertThrows(SaturatedException.class, () -> mint(node, operator));
    assertEquals("max_minted", full.reason());
    node.forConsole(ConsoleCapabilitiesTest.TERMS)
        .mint(new ConsoleUser("ann", ConsoleRole.VIEWER), null);
    assertEquals(3, nodes.store.mintings(), "the console is counted apart");

    nodes.time.advance(HOUR.plusSeconds(1));
    nodes.store.purgeMintings(nodes.time.instant(), 100);
    mint(node, operator);
    mint(node, operator);
    assertThrows(SaturatedException.class, () -> mint(node, operator));
    node.rotate(operator);
    node.revoke(operator, new Revocation.OfKey(key));
    assertEquals(0, nodes.store.mintings());
    assertEquals(
        List.of("key:" + key),
        nodes.store.list(ListedCapability.Kind.ALL, "", 10, nodes.time.instant()).stream()
            .map(ListedCapability::subject)
            .toList());
  }
}
