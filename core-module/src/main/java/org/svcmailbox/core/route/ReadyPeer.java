package org.svcmailbox.core.route;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.time.Ticker;

/** Asks one other node for topics with messages while calls wait for them. Any thread. */
final class ReadyPeer {
  private static final Logger LOG = System.getLogger(ReadyPeer.class.getName());

  private final PeerTransport transport;
  private final Ticker ticker;
  private final long asker;
  private final ReadyWatch<Waiter> watch = new ReadyWatch<>();
  private final LongAdder reported = new LongAdder();
  private final LongAdder empty = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private volatile NodeView node;

  /** A call that waits. */
  interface Waiter {
    /** Has it ask a node; returns false if it is over, so that another one may. */
    boolean wake(NodeView node);
  }

  ReadyPeer(NodeView node, PeerTransport transport, Ticker ticker, long asker) {
    this.node = node;
    this.transport = transport;
    this.ticker = ticker;
    this.asker = asker;
  }

  /** The node may have another address since. */
  void seen(NodeView now) {
    node = now;
  }

  void add(ReadyKey key, Waiter call) {
    watch.add(key, call);
    if (!watch.isNamed(key)) {
      ask();
    }
  }

  void remove(ReadyKey key, Waiter call) {
    watch.remove(key, call);
  }

  boolean isNamed(ReadyKey key) {
    return watch.isNamed(key);
  }

  boolean isIdle() {
    return watch.calls() == 0;
  }

  /** Begins a question if one is due. */
  void ask() {
    ReadyWatch.Question question = watch.begin(ticker.nanos());
    if (question != null) {
      ReadyQuestion asked = new ReadyQuestion(asker, question.number(), question.keys());
      CompletionStage<Void> unused =
          transport
              .send(node.url(), ReadyCodec.encode(asked))
              .handle(
                  (answer, failure) -> {
                    ended(question, failure == null && answer != null ? read(answer) : null);
                    return null;
                  });
    }
  }

  private static @Nullable List<ReadyKey> read(byte[] answer) {
    try {
      return ReadyCodec.keys(answer);
    } catch (MalformedFrameException e) {
      LOG.log(Level.WARNING, "Topics with messages cannot be read: {0}", e.getMessage());
      return null;
    }
  }

  private void ended(ReadyWatch.Question question, @Nullable List<ReadyKey> ready) {
    if (ready == null) {
      failed.increment();
      watch.failed(question, ticker.nanos());
      return;
    }
    (ready.isEmpty() ? empty : reported).increment();
    watch.answered(question, ready, ticker.nanos()).forEach(this::wake);
    ask();
  }

  private void wake(ReadyWatch.Report report) {
    int left = report.calls();
    Waiter call;
    while (left > 0 && (call = watch.next(report.key())) != null) {
      left -= call.wake(node) ? 1 : 0;
    }
  }

  List<Metric> metrics() {
    String name = node.node().value();
    return List.of(
        Family.PEER_READY_TOTAL.of(reported::sum, name, "reported"),
        Family.PEER_READY_TOTAL.of(empty::sum, name, "empty"),
        Family.PEER_READY_TOTAL.of(failed::sum, name, "failed"));
  }
}
