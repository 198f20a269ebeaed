package org.svcmailbox.core.route;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Histogram;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.time.Ticker;

/** One other node, its queue and the frames under way to it. Any thread. */
final class Peer {
  /** A call that is not on its way after this time is returned, to be routed again. */
  static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private static final Logger LOG = System.getLogger(Peer.class.getName());

  private final PeerTransport transport;
  private final Ticker ticker;
  private final PeerQueue<Pending> queue = new PeerQueue<>();
  private final PeerHealth health = new PeerHealth();
  private final LongAdder frames = new LongAdder();
  private final Outcomes outcomes = new Outcomes();
  private final Histogram latency;
  private volatile NodeView node;

  /** An encoded call that has not ended. */
  private static final class Pending {
    private final byte[] call;
    private final CompletableFuture<PeerReply> reply = new CompletableFuture<>();

    Pending(byte[] call) {
      this.call = call;
    }
  }

  /** How its calls ended. */
  private record Outcomes(LongAdder answered, LongAdder notSent, LongAdder lost, LongAdder full) {
    Outcomes() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }
  }

  Peer(NodeView node, PeerTransport transport, Histogram latency, Ticker ticker) {
    this.node = node;
    this.transport = transport;
    this.latency = latency;
    this.ticker = ticker;
  }

  /** The node may have another address since. */
  void seen(NodeView now) {
    node = now;
  }

  CompletableFuture<PeerReply> call(byte[] call) {
    Pending pending = new Pending(call);
    if (!queue.offer(pending, call.length, ticker.nanos())) {
      end(pending, PeerReply.FULL, outcomes.full());
    } else {
      pump();
    }
    return pending.reply;
  }

  /** Sends what waits while frames may leave, and returns the calls of a skipped peer. */
  void pump() {
    PeerQueue.Frame<Pending> frame;
    // Asking claims the next try, so only if a call waits for it.
    while (queue.isWaiting() && (frame = queue.begin(health.frames(ticker.nanos()))) != null) {
      send(frame);
    }
    if (health.isSkipped()) {
      notSent(queue.removeOlder(ticker.nanos()));
    }
  }

  /** Returns calls that have waited for too long. */
  void tick() {
    notSent(queue.removeOlder(ticker.nanos() - LONGEST_WAIT.toNanos()));
    pump();
  }

  private void notSent(List<Pending> calls) {
    calls.forEach(call -> end(call, PeerReply.NOT_DONE, outcomes.notSent()));
  }

  private void send(PeerQueue.Frame<Pending> frame) {
    long since = ticker.nanos();
    frames.increment();
    byte[] bytes = PeerCodec.callFrame(frame.calls().stream().map(one -> one.call).toList());
    CompletableFuture<Void> unused =
        transport
            .send(node.url(), bytes)
            .handle(
                (answers, failure) -> {
                  latency.record(ticker.nanos() - since);
                  ended(frame, answers, failure);
                  return null;
                })
            .toCompletableFuture()
            .thenRun(this::pump);
  }

  private void ended(
      PeerQueue.Frame<Pending> frame, byte @Nullable [] answers, @Nullable Throwable failure) {
    queue.end(frame);
    List<PeerAnswer> read = failure == null && answers != null ? read(frame, answers) : null;
    if (read != null) {
      health.succeeded();
      for (int i = 0; i < read.size(); i++) {
        end(frame.calls().get(i), new PeerReply.Answered(read.get(i)), outcomes.answered());
      }
      return;
    }
    health.failed(ticker.nanos());
    boolean isNotSent = unwrapped(failure) instanceof PeerTransport.NotSentException;
    LOG.log(Level.DEBUG, "A frame for {0} failed: {1}", node.node(), failure);
    for (Pending call : frame.calls()) {
      end(
          call,
          isNotSent ? PeerReply.NOT_DONE : PeerReply.LOST,
          isNotSent ? outcomes.notSent() : outcomes.lost());
    }
  }

  /** The answers; null if these are not the answers of the frame. */
  private static @Nullable List<PeerAnswer> read(PeerQueue.Frame<Pending> frame, byte[] answers) {
    try {
      List<PeerAnswer> read = PeerCodec.answers(answers);
      if (read.size() == frame.calls().size()) {
        return read;
      }
      LOG.log(Level.WARNING, "{0} answers to {1} calls", read.size(), frame.calls().size());
    } catch (MalformedFrameException e) {
      LOG.log(Level.WARNING, "Answers cannot be read: {0}", e.getMessage());
    }
    return null;
  }

  private static @Nullable Throwable unwrapped(@Nullable Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  private static void end(Pending call, PeerReply reply, LongAdder outcome) {
    outcome.increment();
    boolean unused = call.reply.complete(reply);
  }

  /** Whether nothing waits or is under way. */
  boolean isIdle() {
    return queue.calls() == 0;
  }

  List<Metric> metrics() {
    String name = node.node().value();
    return List.of(
        Family.PEER_CALLS_TOTAL.of(outcomes.answered()::sum, name, "answered"),
        Family.PEER_CALLS_TOTAL.of(outcomes.notSent()::sum, name, "not_sent"),
        Family.PEER_CALLS_TOTAL.of(outcomes.lost()::sum, name, "lost"),
        Family.PEER_CALLS_TOTAL.of(outcomes.full()::sum, name, "full"),
        Family.PEER_FRAMES_TOTAL.of(frames::sum, name),
        Family.PEER_UNREACHABLE.of(() -> health.isSkipped() ? 1 : 0, name));
  }

  int calls() {
    return queue.calls();
  }

  long bytes() {
    return queue.bytes();
  }
}
