package org.svcmailbox.core.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.batch.BatchId;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.cluster.GroupHere;
import org.svcmailbox.core.cluster.GroupHere.State;
import org.svcmailbox.core.cluster.NodeGroups;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.mailbox.SeveralNodes.Node;

/** How a group stands on two nodes while it moves, or cannot. */
class MailboxGroupsTest {
  private static final int GROUPS = 4;
  private static final int GROUP = 1;
  private static final Duration LONG = Duration.ofMinutes(10);

  private final SeveralNodes nodes = new SeveralNodes(2, 1, GROUPS, 8);
  private final Node first = nodes.nodes.get(0);
  private final Node second = nodes.nodes.get(1);
  private final NodeGroups giver = first.mailbox.groups();
  private final NodeGroups heir = second.mailbox.groups();

  private static State state(NodeGroups node) {
    return node.of(GROUP).state();
  }

  private void take(NodeGroups node) {
    node.take(GROUP);
    nodes.run();
  }

  private String key() {
    for (int i = 0; ; i++) {
      if (nodes.slot("k" + i) % GROUPS == GROUP) {
        return "k" + i;
      }
    }
  }

  @Test
  void aGroupThatMovesHasAStateAtEachStep() {
    assertEquals(State.AWAY, state(giver));
    giver.take(GROUP);
    assertEquals(State.ATTACHING, state(giver));
    nodes.run();
    assertEquals(State.HELD, state(giver));
    assertEquals(State.AWAY, giver.of(GROUP + 1).state());
    take(heir);
    assertEquals(State.ATTACHING, state(heir), "the other one has the log");

    assertInstanceOf(Accepted.class, first.send(key()));
    assertEquals(1, first.leased(1, LONG).size());
    giver.giveAway(GROUP);
    nodes.run();
    assertEquals(State.LEAVING, state(giver), "a holder has a second");
    nodes.pass(Duration.ofSeconds(1));
    assertEquals(State.AWAY, state(giver));
    assertEquals(State.HELD, state(heir));
  }

  @Test
  void aGroupWithoutLogIsClosedUntilThereIsOne() {
    nodes.broker.removeLog(WorkerId.of(GROUP));
    take(giver);
    assertEquals(GroupHere.closed("the broker has no log of this group"), giver.of(GROUP));
    assertEquals(Set.of(), giver.wanted());
    nodes.broker.makeLog(WorkerId.of(GROUP), new BatchId(0, 0));
    take(giver);
    assertEquals(State.HELD, state(giver));
  }

  @Test
  void aGroupWhoseLogIsDamagedIsClosedWhileItIsWanted() {
    WorkerId group = WorkerId.of(GROUP);
    nodes.broker.damageLog(group, nodes.broker.logOf(group).lastKey());
    take(giver);
    GroupHere here = giver.of(GROUP);
    assertEquals(State.CLOSED, here.state());
    assertEquals(first.mailbox.storeMismatch(), here.trouble());
    giver.giveAway(GROUP);
    nodes.run();
    assertEquals(GroupHere.of(State.AWAY), giver.of(GROUP));
  }
}
