package org.svcmailbox.core.route;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.time.Ticker;

/** Asks each other node for its counts, once a second and one question at a time. One thread. */
public final class CountsExchange {
  private static final Logger LOG = System.getLogger(CountsExchange.class.getName());

  private final Owners owners;
  private final PeerTransport transport;
  private final PeerCounts counts;
  private final Ticker ticker;
  private final Map<NodeId, Long> asked = new HashMap<>();
  private final Set<NodeId> underWay = ConcurrentHashMap.newKeySet();

  /**
   * @param transport carries questions for counts
   * @param counts takes the answers
   */
  public CountsExchange(Owners owners, PeerTransport transport, PeerCounts counts, Ticker ticker) {
    this.owners = owners;
    this.transport = transport;
    this.counts = counts;
    this.ticker = ticker;
  }

  /** Asks each node that was not asked within the last second. It never blocks. */
  public void tick() {
    List<NodeView> alive = owners.peers();
    List<NodeId> names = alive.stream().map(NodeView::node).toList();
    counts.retain(names);
    asked.keySet().retainAll(names);
    alive.stream().filter(this::isDue).forEach(this::begin);
  }

  private boolean isDue(NodeView node) {
    Long last = asked.get(node.node());
    return last == null || ticker.nanos() - last >= PeerCounts.EVERY.toNanos();
  }

  private void begin(NodeView node) {
    if (underWay.add(node.node())) {
      asked.put(node.node(), ticker.nanos());
      ask(node);
    }
  }

  private void ask(NodeView node) {
    byte[] question = CountsCodec.encode(counts.question(node.node()));
    CompletableFuture<Void> unused =
        transport
            .send(node.url(), question)
            .toCompletableFuture()
            .handle(
                (answer, failure) -> {
                  answered(node, answer, failure);
                  return null;
                });
  }

  /** Asks for the rest at once. */
  private void answered(NodeView node, byte @Nullable [] frame, @Nullable Throwable failure) {
    CountsAnswer answer = read(node, frame, failure);
    if (answer != null) {
      counts.told(node.node(), answer);
    }
    if (answer == null || answer.isLast()) {
      underWay.remove(node.node());
    } else {
      ask(node);
    }
  }

  private static @Nullable CountsAnswer read(
      NodeView node, byte @Nullable [] frame, @Nullable Throwable failure) {
    try {
      if (frame != null) {
        return CountsCodec.answer(frame);
      }
      LOG.log(Level.DEBUG, "Node {0} tells no counts: {1}", node.node(), failure);
    } catch (MalformedFrameException e) {
      LOG.log(Level.WARNING, "Counts of {0} cannot be read: {1}", node.node(), e.getMessage());
    }
    return null;
  }
}
