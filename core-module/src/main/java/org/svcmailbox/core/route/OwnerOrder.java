package org.svcmailbox.core.route;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;

/** The order in which a RECV asks the owners of its shards. Pure. */
final class OwnerOrder {
  private OwnerOrder() {}

  /**
   * The owners in random order, each once. One with more shards is more likely to be early, so no
   * shard starves behind others. Shards that move have no owner.
   *
   * @param owners of each shard
   */
  static List<Owner> of(List<Owner> owners, RandomGenerator random) {
    List<Owner> shuffled = new ArrayList<>(owners);
    for (int i = shuffled.size() - 1; i > 0; i--) {
      Owner drawn = shuffled.set(random.nextInt(i + 1), shuffled.get(i));
      shuffled.set(i, drawn);
    }
    Set<NodeId> met = new LinkedHashSet<>();
    boolean isHere = false;
    List<Owner> order = new ArrayList<>();
    for (Owner owner : shuffled) {
      if (owner instanceof Owner.Elsewhere elsewhere) {
        NodeView node = elsewhere.node();
        if (met.add(node.node())) {
          order.add(owner);
        }
      } else if (owner instanceof Owner.Here && !isHere) {
        isHere = true;
        order.add(owner);
      }
    }
    return order;
  }
}
