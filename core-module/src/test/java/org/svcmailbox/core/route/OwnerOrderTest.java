package org.svcmailbox.core.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;

class OwnerOrderTest {
  private static Owner node(String name) {
    return new Owner.Elsewhere(new NodeView(new NodeId(name), URI.create("http://" + name), true));
  }

  @Test
  void eachOwnerIsAskedOnceAndShardsThatMoveByNobody() {
    Random random = new Random(1);
    List<Owner> shards =
        List.of(node("a"), Owner.MOVING, Owner.HERE, node("b"), node("a"), Owner.HERE);
    for (int i = 0; i < 100; i++) {
      List<Owner> order = OwnerOrder.of(shards, random);
      assertEquals(3, order.size());
      assertTrue(order.containsAll(List.of(node("a"), node("b"), Owner.HERE)));
    }
    assertEquals(List.of(), OwnerOrder.of(List.of(Owner.MOVING), random));
  }

  /** One that has three of four shards is first three times in four. */
  @Test
  void oneWithMoreShardsIsMoreOftenFirst() {
    Random random = new Random(2);
    List<Owner> shards = new ArrayList<>(Collections.nCopies(3, node("a")));
    shards.add(Owner.HERE);
    int rounds = 10_000;
    int first = 0;
    for (int i = 0; i < rounds; i++) {
      first += OwnerOrder.of(shards, random).get(0).equals(Owner.HERE) ? 1 : 0;
    }
    assertTrue(first > rounds * 0.23 && first < rounds * 0.27, first + " of " + rounds);
  }
}
