package org.svcmailbox.core.cluster;

import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

/** The owners by the last look at the cluster; this process knows of its own groups first. */
public final class LiveOwners implements Owners {
  private final NodeId self;
  private final Supplier<ClusterView> view;
  private final IntPredicate serves;

  /**
   * @param view the last look
   * @param serves whether this process serves a group
   */
  public LiveOwners(NodeId self, Supplier<ClusterView> view, IntPredicate serves) {
    this.self = self;
    this.view = view;
    this.serves = serves;
  }

  @Override
  public NodeId self() {
    return self;
  }

  @Override
  public int groups() {
    return view.get().map().groups();
  }

  /** A holder that is this process has lost the group since it said so. */
  @Override
  public Owner of(int group) {
    return serves.test(group)
        ? Owner.HERE
        : view.get()
            .holderOf(group)
            .filter(holder -> !holder.node().equals(self))
            .<Owner>map(Owner.Elsewhere::new)
            .orElse(Owner.MOVING);
  }

  @Override
  public List<NodeView> peers() {
    return view.get().nodes().stream()
        .filter(node -> node.isAlive() && !node.node().equals(self))
        .toList();
  }
}
