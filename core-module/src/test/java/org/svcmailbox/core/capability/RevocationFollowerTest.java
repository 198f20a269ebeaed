package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.store.InMemoryCapabilityStore;
import org.svcmailbox.core.problem.UnavailableException;

/** Two nodes of a cluster, one of which learns what the other one revokes. */
class RevocationFollowerTest {
  private static final Optional<Denial> GOOD = Optional.empty();
  private static final Optional<Denial> REVOKED = Optional.of(Denial.REVOKED);

  private final Nodes nodes = roomy();
  private final Capabilities here = nodes.start();
  private final Capabilities there = nodes.start();
  private final RevocationFollower follower = there.follower();

  @BeforeEach
  void follow() {
    follower.turn();
  }

  private static Nodes roomy() {
    Nodes nodes = new Nodes();
    nodes.maxRevoked = 10_000;
    return nodes;
  }

  private Minted mint() {
    return here.mint(Nodes.operator(here), List.of(), Duration.ofDays(1));
  }

  private void revoke(Minted one) {
    here.revoke(Nodes.operator(here), new Revocation.OfNonce(one.id().nonce()));
  }

  /** Revokes the key that minted a capability. */
  private void revokeKeyOf(Minted one) {
    here.rotate(Nodes.operator(here));
    here.revoke(Nodes.operator(here), new Revocation.OfKey(one.id().keyId()));
  }

  @Test
  void aRevocationElsewhereCountsFromTheNextTurn() {
    Minted one = mint();
    Minted other = mint();
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    assertEquals(GOOD, Nodes.denial(there, other.token()));
    revoke(one);
    assertEquals(GOOD, Nodes.denial(there, one.token()), "as long as nothing tells it");
    follower.turn();
    assertEquals(REVOKED, Nodes.denial(there, one.token()));
    assertEquals(GOOD, Nodes.denial(there, other.token()));
  }

  @Test
  void callsThatWaitLearnOfIt() {
    Minted one = mint();
    Caller waiting = there.authenticate(one.token(), null);
    revoke(one);
    follower.turn();
    assertEquals(REVOKED, waiting.denial(Operation.SEND, null));
  }

  @Test
  void aBodyThatComesWithItIsNobodys() {
    Minted one = mint();
    assertEquals(one.id().nonce(), there.bodyOwners().find(one.token()));
    revoke(one);
    follower.turn();
    assertEquals(BodyOwners.ANYONE, there.bodyOwners().find(one.token()));
  }

  @Test
  void onlyWhatWasRevokedIsAskedAgain() {
    Minted one = mint();
    Minted other = mint();
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    assertEquals(GOOD, Nodes.denial(there, other.token()));
    revoke(other);
    follower.turn();
    int asked = nodes.store.asked();
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    assertEquals(asked, nodes.store.asked());
  }

  @Test
  void aRevokedKeyEndsAllThatItMinted() {
    Minted one = mint();
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    revokeKeyOf(one);
    follower.turn();
    assertEquals(REVOKED, Nodes.denial(there, one.token()));
  }

  @Test
  void nodesKnowEachOtherWhenTheKeyIsRevoked() {
    BearerToken before = there.peerToken();
    assertDoesNotThrow(() -> here.requirePeer(before.value(), null));
    revokeKeyOf(mint());
    follower.turn();
    assertThrows(DeniedException.class, () -> here.requirePeer(before.value(), null));
    assertDoesNotThrow(() -> here.requirePeer(there.peerToken().value(), null));
    assertDoesNotThrow(() -> there.requirePeer(here.peerToken().value(), null));
  }

  @Test
  void aNewKeyIsMintedWithFromTheNextTurn() {
    String made = here.rotate(Nodes.operator(here));
    follower.turn();
    nodes.store.away(true);
    assertDoesNotThrow(() -> there.peerToken());
    nodes.store.away(false);
    assertTrue(mint().id().keyId().equals(made));
  }

  @Test
  void moreThanAPageIsReadInOneTurn() {
    Capabilities many = nodes.start();
    Caller operator = Nodes.operator(many);
    List<Minted> minted = new ArrayList<>();
    for (int i = 0; i < 2 * RevocationFollower.PAGE; i++) {
      minted.add(many.mint(operator, List.of(), Duration.ofDays(1)));
    }
    Minted last = minted.get(minted.size() - 1);
    assertEquals(GOOD, Nodes.denial(there, last.token()));
    minted.forEach(one -> many.revoke(operator, new Revocation.OfNonce(one.id().nonce())));
    follower.turn();
    assertEquals(REVOKED, Nodes.denial(there, last.token()));
  }

  @Test
  void aTurnThatFailsIsMadeUpFor() {
    Minted one = mint();
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    revoke(one);
    nodes.store.away(true);
    assertThrows(UnavailableException.class, follower::turn);
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    nodes.store.away(false);
    follower.turn();
    assertEquals(REVOKED, Nodes.denial(there, one.token()));
  }

  /** The numbers of the lost changes are given again. */
  @Test
  void aStoreThatFellBackIsAskedAboutEverything() {
    Minted one = mint();
    InMemoryCapabilityStore older = nodes.store.copy();
    revoke(mint());
    revoke(mint());
    follower.turn();
    nodes.store.replaceBy(older);
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    revoke(one);
    follower.turn();
    assertEquals(REVOKED, Nodes.denial(there, one.token()), "the counter is behind");
  }

  @Test
  void aStoreThatMayHaveFallenBackIsAskedAboutEverything() {
    Minted one = mint();
    InMemoryCapabilityStore older = nodes.store.copy();
    revoke(mint());
    follower.turn();
    nodes.store.replaceBy(older);
    assertEquals(GOOD, Nodes.denial(there, one.token()));
    revoke(one);
    follower.turn();
    assertEquals(GOOD, Nodes.denial(there, one.token()), "the counter is where it was");
    follower.doubt();
    nodes.store.away(true);
    assertThrows(UnavailableException.class, follower::turn);
    nodes.store.away(false);
    follower.turn();
    assertEquals(REVOKED, Nodes.denial(there, one.token()));
  }

  /** A capability that another node revokes is written again by each node that knew. */
  @Test
  void aRevocationSurvivesTheNodeThatMadeItWhenTheDatabaseFallsBack() {
    Minted one = mint();
    InMemoryCapabilityStore older = nodes.store.copy();
    revoke(one);
    follower.turn();
    nodes.store.replaceBy(older);
    there.restore();
    assertEquals(REVOKED, Nodes.denial(nodes.start(), one.token()));
  }

  /** Nodes that take a turn at random; what was revoked before a turn is refused after it. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingIsAcceptedAfterATurnThatFollowsItsRevocation(long seed) {
    Random random = new Random(seed);
    List<Capabilities> all = List.of(here, there, nodes.start());
    List<RevocationFollower> followers = all.stream().map(Capabilities::follower).toList();
    followers.forEach(RevocationFollower::turn);
    List<Minted> minted = new ArrayList<>();
    List<Minted> revoked = new ArrayList<>();
    int[] told = new int[all.size()];
    int believedAWhile = 0;
    for (int step = 0; step < 2_000; step++) {
      nodes.time.advance(Duration.ofMillis(random.nextInt(200)));
      int who = random.nextInt(all.size());
      switch (random.nextInt(10)) {
        case 0 -> minted.add(mint());
        case 1, 2 -> {
          followers.get(who).turn();
          told[who] = revoked.size();
        }
        case 3 -> {
          if (!minted.isEmpty()) {
            Minted one = minted.remove(random.nextInt(minted.size()));
            all.get(who)
                .revoke(Nodes.operator(all.get(who)), new Revocation.OfNonce(one.id().nonce()));
            revoked.add(one);
          }
        }
        default -> {
          for (int i = Math.max(0, revoked.size() - 20); i < revoked.size(); i++) {
            boolean isAccepted = Nodes.denial(all.get(who), revoked.get(i).token()).isEmpty();
            assertFalse(isAccepted && i < told[who], "step " + step);
            believedAWhile += isAccepted ? 1 : 0;
          }
          minted.forEach(
              one -> assertEquals(GOOD, Nodes.denial(all.get(who), one.token()), "not revoked"));
        }
      }
    }
    assertTrue(believedAWhile > 0, "some are believed until the turn, or nothing was tested");
  }
}
