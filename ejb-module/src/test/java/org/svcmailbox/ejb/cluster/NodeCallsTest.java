package org.svcmailbox.ejb.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.cluster.InMemoryOwners;
import org.svcmailbox.core.cluster.NodeId;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.route.CountsCodec;
import org.svcmailbox.core.route.CountsLog;
import org.svcmailbox.core.route.GroupResult;
import org.svcmailbox.core.route.GroupTask;
import org.svcmailbox.core.route.HttpPeerTransport;
import org.svcmailbox.core.route.MalformedFrameException;
import org.svcmailbox.core.route.PeerCodec;
import org.svcmailbox.core.route.PeerCounts;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.Supervisor;
import org.svcmailbox.core.topic.MessageRates;
import org.svcmailbox.core.topic.TopicFigures;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.LoopbackHttp;

/** Two nodes over HTTP, with the threads and the trust that servers have. */
class NodeCallsTest {
  private static final int GROUPS = 2;
  private static final TopicName ORDERS = new TopicName("orders");
  private static final String TOKEN = "this-node";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(20);

  private final SampleCallers callers = new SampleCallers();
  private final LoopbackHttp server = new LoopbackHttp(this::handle);
  private final InMemoryOwners owners =
      new InMemoryOwners(new NodeId("a"), GROUPS, List.of(peer(server.uri())));
  private final Queue<Thread> made = new ConcurrentLinkedQueue<>();
  private final Supervisor supervisor =
      new Supervisor(this::thread, System::nanoTime, new Random(1));
  private final List<PeerCounts> counts = new ArrayList<>();
  private final Queue<Caller> operators = new ConcurrentLinkedQueue<>();
  private final Local here = new Local();
  private final Local there = new Local();
  private final NodeCalls a = node(here);
  private final NodeCalls b = node(there);

  @AfterEach
  void end() {
    a.close();
    b.close();
    server.close();
  }

  /** A mailbox that knows who called, and answers at once. */
  private static final class Local implements MailboxService {
    private static final MsgId ID = new MsgId(1 << 6, 2);
    private final Queue<Caller> senders = new ConcurrentLinkedQueue<>();
    private final Queue<Caller> settlers = new ConcurrentLinkedQueue<>();

    @Override
    public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
      senders.add(caller);
      return CompletableFuture.completedFuture(new SendOutcome.Accepted(ID, false));
    }

    @Override
    public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
      settlers.add(caller);
      return CompletableFuture.completedFuture(SettleOutcome.DONE);
    }

    @Override
    public PendingRecv recv(Caller caller, RecvRequest request) {
      throw new UnsupportedOperationException("no RECV here");
    }
  }

  private static NodeView peer(URI url) {
    return new NodeView(new NodeId("b"), url, true);
  }

  private Thread thread(Runnable task) {
    Thread thread = new Thread(task);
    thread.setDaemon(true);
    made.add(thread);
    return thread;
  }

  private NodeCalls node(MailboxService local) {
    PeerCounts counts = new PeerCounts(GROUPS, () -> Set.of(0), System::nanoTime);
    this.counts.add(counts);
    TopicFigures figures =
        new TopicFigures(5, 0, 0, 0, TopicFigures.NEVER, 0, MessageRates.NONE, false);
    return new NodeCalls(
        new MailboxSettings.Cluster(
            "a",
            URI.create("http://a"),
            GROUPS,
            Duration.ofSeconds(20),
            PATIENCE,
            Optional.empty()),
        new NodeCalls.Local(
            local,
            (topic, shard, then) -> () -> {},
            topic -> {
              throw new UnsupportedOperationException("no call asks for " + topic);
            },
            (caller, groups, task) -> {
              operators.add(caller);
              return GroupResult.counted(groups, groups.size(), false);
            },
            new CountsLog(7, () -> Map.of(ORDERS, figures), () -> Set.of(1), System::nanoTime),
            counts),
        owners,
        this::capabilities,
        this::thread);
  }

  private PeerCapabilities capabilities() {
    return new PeerCapabilities() {
      @Override
      public BearerToken peerToken() {
        return new BearerToken(TOKEN);
      }

      @Override
      public void requirePeer(@Nullable String token, @Nullable InetAddress address) {
        assertEquals(TOKEN, token);
      }

      @Override
      public Caller authenticateForwarded(BearerToken token, @Nullable InetAddress client) {
        return callers.holder(token);
      }
    };
  }

  /** Does what the servlet of frames does. */
  private void handle(HttpExchange exchange) throws IOException {
    assertEquals("Bearer " + TOKEN, exchange.getRequestHeaders().getFirst("Authorization"));
    try {
      byte[] frame = exchange.getRequestBody().readAllBytes();
      byte[] answers =
          switch (exchange.getRequestURI().getPath()) {
            case HttpPeerTransport.CALLS ->
                b.peers().carryOut(PeerCodec.calls(frame)).toCompletableFuture().join().frame();
            case HttpPeerTransport.STATE ->
                CountsCodec.encode(b.questions().counts(CountsCodec.question(frame)));
            case HttpPeerTransport.GROUPS ->
                PeerCodec.answerFrame(
                    List.of(PeerCodec.encode(b.questions().answer(PeerCodec.calls(frame).get(0)))));
            default -> throw new IOException("no call of nodes");
          };
      exchange.sendResponseHeaders(200, answers.length);
      exchange.getResponseBody().write(answers);
      exchange.close();
    } catch (MalformedFrameException e) {
      throw new IOException(e);
    }
  }

  private static SettleOutcome ack(NodeCalls node) throws Exception {
    return acking(node).toCompletableFuture().get(SOON.toSeconds(), TimeUnit.SECONDS);
  }

  private static CompletionStage<SettleOutcome> acking(NodeCalls node) {
    return node.mailbox().settle(SampleCallers.OPERATOR, new SettleRequest.Ack(Local.ID, null));
  }

  private void serve(Owner owner) {
    IntStream.range(0, GROUPS).forEach(group -> owners.serve(group, owner));
  }

  private double value(Family family, String label) {
    return a.metrics().stream()
        .map(MetricSource::metrics)
        .flatMap(List::stream)
        .filter(one -> one.family() == family && one.tags().containsValue(label))
        .mapToDouble(Metric::now)
        .sum();
  }

  @Test
  void aCallGoesToTheNodeOfItsGroupWithItsClientsToken() throws Exception {
    serve(new Owner.Elsewhere(peer(server.uri())));
    assertEquals(SettleOutcome.DONE, ack(a));
    assertTrue(here.settlers.isEmpty());
    assertEquals(SampleCallers.OPERATOR.token(), there.settlers.remove().token());
    assertEquals(1, value(Family.PEER_CALLS_TOTAL, "answered"));
    assertTrue(value(Family.TASKS_SPAWNED_TOTAL, "peer") >= 1);
    made.forEach(thread -> assertTrue(thread.getName().startsWith("mailbox-peer-")));
    assertFalse(made.isEmpty());
  }

  @Test
  void aCallForAGroupHereStaysHere() throws Exception {
    serve(Owner.HERE);
    assertEquals(SettleOutcome.DONE, ack(a));
    assertEquals(1, here.settlers.size());
    assertTrue(there.settlers.isEmpty());
  }

  @Test
  void aThreadHasCallsLookAgain() throws Exception {
    a.start(supervisor, this::thread);
    CompletableFuture<SettleOutcome> waiting = acking(a).toCompletableFuture();
    Deadline.in(SOON)
        .await(() -> value(Family.BOUND_USED, "parked_calls") == 1, () -> "a call that waits");
    serve(new Owner.Elsewhere(peer(server.uri())));
    assertEquals(SettleOutcome.DONE, waiting.get(SOON.toSeconds(), TimeUnit.SECONDS));
    assertTrue(made.stream().anyMatch(thread -> thread.getName().equals("mailbox-route")));
  }

  @Test
  void aThreadAsksTheOtherNodesForTheirCounts() {
    a.start(supervisor, this::thread);
    Deadline.in(SOON).await(() -> counts.get(0).of(ORDERS).ready() == 5, () -> "its counts");
    assertEquals(2, counts.get(0).counted().nodes());
    assertEquals(0, counts.get(0).counted().missingGroups());
    assertTrue(value(Family.PEER_COUNTS_AGE_SECONDS, "b") < SOON.toSeconds());
  }

  @Test
  void aPartOfAnOperatorsCallGoesToTheNodeOfItsGroupWithTheOperatorsToken() {
    owners.serve(0, Owner.HERE);
    owners.serve(1, new Owner.Elsewhere(peer(server.uri())));
    List<Set<Integer>> done = new ArrayList<>();
    a.groups()
        .ask(
            SampleCallers.OPERATOR,
            Set.of(0, 1),
            new GroupTask.Purge(ORDERS),
            result -> done.add(result.groups()));
    assertEquals(List.of(Set.of(0), Set.of(1)), done);
    assertEquals(
        List.of(SampleCallers.OPERATOR.token(), SampleCallers.OPERATOR.token()),
        operators.stream().map(Caller::token).toList());
  }

  @Test
  void callsThatWaitAreAnsweredWhenTheNodeEnds() throws Exception {
    CompletableFuture<SettleOutcome> waiting = acking(a).toCompletableFuture();
    assertFalse(waiting.isDone());
    a.endWaits();
    Refusal refusal = assertInstanceOf(Refusal.class, waiting.getNow(null));
    assertEquals("group_moving", refusal.reason());
    serve(new Owner.Elsewhere(peer(server.uri())));
    assertEquals(SettleOutcome.DONE, ack(a), "a call whose group is elsewhere");
  }

  @Test
  void itsThreadsEndWithIt() throws Exception {
    serve(new Owner.Elsewhere(peer(server.uri())));
    a.start(supervisor, this::thread);
    assertEquals(SettleOutcome.DONE, ack(a));
    a.close();
    for (Thread thread : made) {
      thread.join(SOON.toMillis());
      assertFalse(thread.isAlive(), thread::getName);
    }
  }
}
