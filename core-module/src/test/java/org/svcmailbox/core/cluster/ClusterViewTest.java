package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether other nodes can act by topics older than version 7. */
class ClusterViewTest {
  private static final NodeId SELF = new NodeId("a");

  /**
   * Nodes by name: {@code +} lives, {@code x} is dead, {@code L} leaves, each with what it has
   * seen. Holders: the node of each group, {@code -} for none.
   */
  @ParameterizedTest
  @CsvSource({
    "this node alone, a+0, aaaa, true",
    "a node that is behind, a+7 b+6, aabb, false",
    "a node that has seen it, a+7 b+7, aabb, true",
    "a node that has seen more, a+7 b+9, aabb, true",
    "a node without groups that is behind, a+7 b+7 c+6, aabb, false",
    "a node that leaves and is behind, a+7 bL6, aabb, false",
    "a dead node whose groups nobody has yet, a+7 bx7, aabb, false",
    "a dead node whose groups moved, a+7 bx6, aaaa, true",
    "groups that nobody ever had, a+7 b+7, a-b-, true",
    "a holder that is gone from the table, a+7, aaac, false"
  })
  void whoKnows(String what, String nodes, String holders, boolean expected) {
    List<Sighting> sightings = new ArrayList<>();
    for (String node : nodes.split(" ", -1)) {
      boolean isLeaving = node.charAt(1) == 'L';
      NodeStanding standing = new NodeStanding(isLeaving, "", Long.parseLong(node.substring(2)));
      sightings.add(
          Standings.sighting(
              new NodeId(node.substring(0, 1)),
              URI.create("http://node:8080"),
              node.charAt(1) != 'x',
              standing));
    }
    Map<Integer, Holder> held = new HashMap<>();
    for (int group = 0; group < holders.length(); group++) {
      if (holders.charAt(group) != '-') {
        held.put(group, new Holder(new NodeId(holders.substring(group, group + 1)), 1));
      }
    }
    ClusterView view = new ClusterView(GroupMap.empty(4), held, sightings);
    assertEquals(expected, view.knowTopics(SELF, 7), what);
  }
}
