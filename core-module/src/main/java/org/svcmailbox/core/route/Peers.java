package org.svcmailbox.core.route;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.time.Ticker;

/**
 * The other nodes, as this one calls them. Each has a queue and frames of its own, so a slow one
 * holds up no other. Any thread.
 */
final class Peers implements MetricSource {
  /** The reason of a full queue for clients, and the bound's name in metrics. */
  static final String CALLS = "peer_saturated";

  private static final String BYTES = "peer_bytes";

  private final PeerTransport transport;
  private final Ticker ticker;
  private final Histogram latency = new Histogram(Family.PEER_LATENCY_SECONDS);
  private final Map<NodeId, Peer> peers = new ConcurrentHashMap<>();

  Peers(PeerTransport transport, Ticker ticker) {
    this.transport = transport;
    this.ticker = ticker;
  }

  /** Has a node carry out a call, which is sent at most once. */
  CompletableFuture<PeerReply> call(NodeView node, ForwardedCall call) {
    Peer peer =
        peers.computeIfAbsent(node.node(), name -> new Peer(node, transport, latency, ticker));
    peer.seen(node);
    return peer.call(PeerCodec.encode(call));
  }

  /**
   * Returns calls that have waited for too long, tries skipped nodes, and forgets idle ones that
   * are gone.
   *
   * @param alive the nodes that are not
   */
  void tick(Collection<NodeView> alive) {
    List<NodeId> names = alive.stream().map(NodeView::node).toList();
    peers.entrySet().removeIf(one -> !names.contains(one.getKey()) && one.getValue().isIdle());
    peers.values().forEach(Peer::tick);
  }

  private long fullest(ToLongFunction<Peer> fill) {
    return peers.values().stream().mapToLong(fill).max().orElse(0);
  }

  @Override
  public List<Metric> metrics() {
    Stream<Metric> bounds =
        Stream.of(
            Family.BOUND_USED.of(() -> fullest(Peer::calls), CALLS),
            Family.BOUND_CAPACITY.of(() -> PeerQueue.MOST_CALLS, CALLS),
            Family.BOUND_USED.of(() -> fullest(Peer::bytes), BYTES),
            Family.BOUND_CAPACITY.of(() -> PeerQueue.MOST_BYTES, BYTES));
    return Stream.concat(bounds, peers.values().stream().map(Peer::metrics).flatMap(List::stream))
        .toList();
  }

  @Override
  public List<Distribution> distributions() {
    return List.of(latency);
  }
}
