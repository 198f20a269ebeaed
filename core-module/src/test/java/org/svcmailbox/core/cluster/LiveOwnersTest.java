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
  private static final NodeView ALIVE = node("b", /* isAlive= */ true, /* isLeaving= */ false);
  private static final NodeView LEAVING = node("c", /* isAlive= */ true, /* isLeaving= */ true);
  private static final NodeView DEAD = node("d", /* isAlive= */ false, /* isLeaving= */ false);
  private static final int GROUPS = 6;

  private ClusterView view =
      new ClusterView(
          GroupMap.empty(GROUPS),
          Map.of(0, SELF, 1, SELF, 2, ALIVE.node(), 3, LEAVING.node(), 4, DEAD.node()),
          List.of(LEAVING, DEAD, new NodeView(SELF, url("self"), true, false, true), ALIVE));

  private final Owners owners = new LiveOwners(SELF, () -> view, Set.of(0)::contains);

  private static URI url(String name) {
    return URI.create("http://" + name + ":8080");
  }

  private static NodeView node(String name, boolean isAlive, boolean isLeaving) {
    return new NodeView(new NodeId(name), url(name), isAlive, isLeaving, /* isFit= */ true);
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
    view = new ClusterView(GroupMap.empty(GROUPS), Map.of(0, ALIVE.node()), List.of(ALIVE));
    assertEquals(Owner.HERE, owners.of(0));
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
