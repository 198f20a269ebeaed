package org.svcmailbox.core.capability;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.capability.CapabilityService.Minted;
import org.svcmailbox.core.capability.CapabilityService.Revocation;
import org.svcmailbox.core.capability.caveat.Denial;

/** Two caching nodes over one store: how long a revoked capability may still be accepted. */
class RevocationBoundTest {
  private static final int STEPS = 2_000;
  private static final int LIVE = 5;
  private static final Optional<Denial> REVOKED = Optional.of(Denial.REVOKED);

  private final Nodes nodes = new Nodes();
  private final List<Capabilities> both = List.of(nodes.start(), nodes.start());
  private final Map<String, Instant> revokedAt = new HashMap<>();
  private final List<Minted> minted = new ArrayList<>();

  private Minted mint(Capabilities node) {
    return node.mint(Nodes.operator(node), List.of(), Duration.ofDays(365));
  }

  private void revoke(Capabilities node, Minted one) {
    node.revoke(Nodes.operator(node), new Revocation.OfNonce(one.id().nonce()));
    revokedAt.putIfAbsent(one.token(), nodes.time.instant());
  }

  @Test
  void anAnswerThatWasLongOnItsWayIsBelievedFromWhenItWasAskedFor() {
    Capabilities here = both.get(0);
    Capabilities there = both.get(1);
    Minted one = mint(here);
    nodes.store.onTheWay(
        () -> {
          nodes.store.onTheWay(() -> {});
          revoke(here, one);
          nodes.time.advance(Duration.ofSeconds(5));
        });
    assertEquals(Optional.empty(), Nodes.denial(there, one.token()), "asked before");
    nodes.time.advance(Nodes.TTL.minusSeconds(5));
    assertEquals(REVOKED, Nodes.denial(there, one.token()));
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void nothingIsAcceptedLaterThanTheTtlAfterItsRevocation(long seed) {
    Random random = new Random(seed);
    nodes.store.onTheWay(() -> beOnTheWay(random));
    int believedAWhile = 0;
    for (int step = 0; step < STEPS; step++) {
      nodes.time.advance(Duration.ofMillis(random.nextInt(2_000)));
      Capabilities node = both.get(random.nextInt(2));
      int dice = random.nextInt(20);
      if (dice == 0 || minted.isEmpty()) {
        minted.add(mint(node));
      } else if (dice == 1) {
        revoke(node, minted.get(random.nextInt(minted.size())));
      } else {
        int newest = Math.max(0, minted.size() - LIVE);
        int which = newest + random.nextInt(minted.size() - newest);
        believedAWhile += accepted(node, minted.get(which).token()) ? 1 : 0;
      }
    }
    assertTrue(believedAWhile > 0, "some are believed for a while, or nothing was tested");
  }

  /** Sometimes revokes a capability in the meantime. */
  private void beOnTheWay(Random random) {
    nodes.store.onTheWay(() -> {});
    if (!minted.isEmpty() && random.nextInt(10) == 0) {
      revoke(both.get(random.nextInt(2)), minted.get(minted.size() - 1));
    }
    nodes.time.advance(Duration.ofMillis(random.nextInt(5_000)));
    nodes.store.onTheWay(() -> beOnTheWay(random));
  }

  /** Whether the capability is accepted; a revoked one may be, for a while. */
  private boolean accepted(Capabilities node, String token) {
    Instant asked = nodes.time.instant();
    Optional<Denial> denial = Nodes.denial(node, token);
    Instant at = revokedAt.get(token);
    if (at == null) {
      assertEquals(Optional.empty(), denial);
      return false;
    }
    if (denial.isPresent()) {
      assertEquals(REVOKED, denial);
      return false;
    }
    assertTrue(asked.isBefore(at.plus(Nodes.TTL)), () -> Duration.between(at, asked).toString());
    return true;
  }
}
