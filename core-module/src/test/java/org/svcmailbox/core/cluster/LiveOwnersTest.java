package org.svcmailbox.core.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each group's owner by a look at the cluster. */
class LiveOwnersTest {
  private static final NodeId SELF = new NodeId("self");
  private static final NodeId B = new NodeId("b");
  private static final NodeId C = new NodeId("c");
  private static final NodeId D = new NodeId("d");
  private static final NodeView ALIVE = new NodeView(B, url(B), true);
  private static final NodeView LEAVING = new NodeView(C, url(C), true);
  private static final int GROUPS = 6;

  private ClusterView view =
      new ClusterView(
          GroupMap.empty(GROUPS),
          Map.of(0, held(SELF), 1, held(SELF), 2, held(B), 3, held(C), 4, held(D)),
          List.of(
              sighting(C, true, Standings.LEAVING),
              sighting(D, false, Standings.FIT),
              sighting(SELF, true, Standings.FIT),
              sighting(B, true, Standings.FIT)));

  private final Owners owners = new LiveOwners(SELF, () -> view, Set.of(0)::contains);

  private static URI url(NodeId node) {
    return URI.create("http://" + node + ":8080");
  }

  private static Sighting sighting(NodeId node, boolean isAlive, NodeStanding standing) {
    return Standings.sighting(node, url(node), isAlive, standing);
  }

  private static Holder held(NodeId node) {
    return new Holder(node, 1);
  }

  @Test
  void aGroupIsWhereItsLivingHolderIs() {
    assertEquals(Owner.HERE, owners.of(0));
    assertEquals(Owner.MOVING, owners.of(1), "this process has lost it");
    assertEquals(new Owner.Elsewhere(ALIVE), owners.of(2));
    assertEquals(new Owner.Elsewhere(LEAVING), owners.of(3), "it serves until it gave it away");
    assertEquals(Owner.MOVING, owners.of(4), "its holder is dead");
    assertEquals(Owner.MOVING, owners.of(5), "no node ever had it");
  }

  @Test
  void whatThisProcessServesIsHereWhateverTheDatabaseSays() {
    view =
        new ClusterView(
            GroupMap.empty(GROUPS), Map.of(0, held(B)), List.of(sighting(B, true, Standings.FIT)));
    assertEquals(Owner.HERE, owners.of(0));
  }

  @Test
  void aGroupWithoutAHolderIsSoonWhereTheMapWantsIt() {
    view =
        new ClusterView(
            GroupMap.empty(GROUPS).with(Map.of(1, B, 2, C, 3, SELF, 4, C, 5, D)),
            view.holders(),
            view.sightings());
    assertEquals(new Owner.Elsewhere(ALIVE), owners.of(1), "this process gave it away");
    assertEquals(new Owner.Elsewhere(LEAVING), owners.of(4), "its holder is dead");
    assertEquals(Owner.MOVING, owners.of(5), "its heir is dead");
    assertEquals(new Owner.Elsewhere(ALIVE), owners.of(2), "its holder lives");
    assertEquals(new Owner.Elsewhere(LEAVING), owners.heirOf(2));
    assertEquals(new Owner.Elsewhere(LEAVING), owners.of(3), "it comes here");
    assertEquals(Owner.MOVING, owners.heirOf(3), "it comes here");
    assertEquals(Owner.MOVING, owners.heirOf(0), "it goes nowhere");
  }

  @Test
  void aGroupThatTheMapLeavesWhereItIsHasNoHeir() {
    view =
        new ClusterView(
            GroupMap.empty(GROUPS).with(Map.of(2, B)), view.holders(), view.sightings());
    assertEquals(Owner.MOVING, owners.heirOf(2));
  }

  @Test
  void aSlotBelongsToItsGroup() {
    assertEquals(Owner.HERE, owners.ofSlot(GROUPS));
    assertEquals(new Owner.Elsewhere(ALIVE), owners.ofSlot(1023 - 1023 % GROUPS + 2));
  }

  @Test
  void peersAreTheOthersThatLiveByName() {
    assertEquals(List.of(ALIVE, LEAVING), owners.peers());
  }
}
