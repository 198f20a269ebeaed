package org.svcmailbox.core.cluster;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Owners that a test names. Every group moves until {@link #serve} is called. */
public final class InMemoryOwners implements Owners {
  private final NodeId self;
  private final int groups;
  private final List<NodeView> peers;
  private final Map<Integer, Owner> owners = new ConcurrentHashMap<>();

  private final Map<Integer, Owner> heirs = new ConcurrentHashMap<>();

  public InMemoryOwners(NodeId self, int groups, List<NodeView> peers) {
    this.self = self;
    this.groups = groups;
    this.peers = List.copyOf(peers);
  }

  /** Lets a group be served somewhere from now on. */
  public void serve(int group, Owner owner) {
    owners.put(group, owner);
  }

  /** Lets a group go to a node while another one serves it. */
  public void inherit(int group, Owner heir) {
    heirs.put(group, heir);
  }

  @Override
  public Owner heirOf(int group) {
    return heirs.getOrDefault(group, Owner.MOVING);
  }

  @Override
  public NodeId self() {
    return self;
  }

  @Override
  public int groups() {
    return groups;
  }

  @Override
  public Owner of(int group) {
    return owners.getOrDefault(group, Owner.MOVING);
  }

  @Override
  public List<NodeView> peers() {
    return peers;
  }
}
