package org.svcmailbox.core.cluster;

import java.util.List;
import java.util.Optional;
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

  /**
   * {@inheritDoc} A holder that is this process has lost the group since it said so. A group
   * without a holder is soon where the map wants it.
   */
  @Override
  public Owner of(int group) {
    ClusterView now = view.get();
    return serves.test(group)
        ? Owner.HERE
        : elsewhere(now.holderOf(group).filter(this::isOther).or(() -> now.heirOf(group)));
  }

  @Override
  public Owner heirOf(int group) {
    return elsewhere(view.get().heirOf(group));
  }

  private Owner elsewhere(Optional<NodeView> node) {
    return node.filter(this::isOther).<Owner>map(Owner.Elsewhere::new).orElse(Owner.MOVING);
  }

  private boolean isOther(NodeView node) {
    return !node.node().equals(self);
  }

  @Override
  public List<NodeView> peers() {
    return view.get().nodes().stream()
        .filter(node -> node.isAlive() && !node.node().equals(self))
        .toList();
  }
}
