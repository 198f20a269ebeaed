package org.svcmailbox.core.route;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.time.Ticker;

/** Calls that wait for messages of other nodes. While none waits, no node is asked. Any thread. */
final class ReadyPeers {
  private final PeerTransport transport;
  private final Ticker ticker;
  private final long asker;
  private final Map<NodeId, ReadyPeer> peers = new ConcurrentHashMap<>();

  /**
   * @param asker names this process; random
   */
  ReadyPeers(PeerTransport transport, Ticker ticker, long asker) {
    this.transport = transport;
    this.ticker = ticker;
    this.asker = asker;
  }

  /** Wakes a call once a node has messages for it, unless it is removed before. */
  void add(NodeView node, ReadyKey key, ReadyPeer.Waiter call) {
    ReadyPeer peer =
        peers.computeIfAbsent(node.node(), name -> new ReadyPeer(node, transport, ticker, asker));
    peer.seen(node);
    peer.add(key, call);
  }

  void remove(NodeId node, ReadyKey key, ReadyPeer.Waiter call) {
    ReadyPeer peer = peers.get(node);
    if (peer != null) {
      peer.remove(key, call);
    }
  }

  /** Whether a node is being asked for a key. */
  boolean isAsked(NodeId node, ReadyKey key) {
    ReadyPeer peer = peers.get(node);
    return peer != null && peer.isNamed(key);
  }

  /**
   * Asks what is due, and forgets nodes that are gone.
   *
   * @param alive the nodes that are not
   */
  void tick(Collection<NodeView> alive) {
    List<NodeId> names = alive.stream().map(NodeView::node).toList();
    peers.entrySet().removeIf(one -> !names.contains(one.getKey()) && one.getValue().isIdle());
    peers.values().forEach(ReadyPeer::ask);
  }

  List<Metric> metrics() {
    return peers.values().stream().map(ReadyPeer::metrics).flatMap(List::stream).toList();
  }
}
