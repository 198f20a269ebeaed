package org.svcmailbox.core.delivery;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Denial;
import org.svcmailbox.core.capability.Operation;
import org.svcmailbox.core.delivery.Broker.QueueCounts;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rate.Buckets;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.core.topic.TopicStore;

/**
 * The mailbox of one process: checks a request against the settings, finds the shard and its
 * worker, and hands over a command. All hashing happens here, on the caller's thread.
 */
public final class Mailbox implements MailboxService, TopicAdmin, MetricSource {
  private static final Logger LOG = System.getLogger(Mailbox.class.getName());
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration DROP_PATIENCE = Duration.ofSeconds(10);

  private final MailboxSettings settings;
  private final Limits limits;
  private final TopicDirectory topics;
  private final Broker broker;
  private final WorkerPool workers;
  private final Ticker ticker;
  private final InstantSource wall;
  private final LedgerRetention ledgerRetention;
  private final Buckets<TopicName> topicRates;
  private volatile boolean draining;
  private boolean drained;

  /**
   * What a mailbox stands on.
   *
   * @param completer runs callers' continuations; must take whatever it is given
   */
  public record Ports(
      Broker broker,
      SendLog log,
      TopicStore topics,
      Ticker ticker,
      InstantSource wall,
      RandomGenerator random,
      Executor completer) {}

  public Mailbox(MailboxSettings settings, Ports ports) {
    this.settings = settings;
    this.limits = new Limits(settings, ports.ticker());
    this.broker = ports.broker();
    this.ticker = ports.ticker();
    this.wall = ports.wall();
    this.topics = new TopicDirectory(ports.topics(), new BrokerQueues(broker), settings);
    this.ledgerRetention =
        new LedgerRetention(ports.log(), topics::all, settings.retention().ledger(), wall);
    this.topicRates = new Buckets<>(settings.rates().buckets(), ticker::nanos);
    this.workers =
        new WorkerPool(
            new WorkerContext.WorkerPorts(
                settings.workers(),
                settings,
                limits,
                ports.broker(),
                ports.log(),
                ports.ticker(),
                ports.wall(),
                ports.random(),
                ports.completer(),
                topics::shardsInSlot,
                topics::isCurrent));
  }

  /** Reads the topics and starts the workers, each on a thread of {@code factory}. */
  public void start(ThreadFactory factory) {
    topics.load();
    workers.start(factory);
  }

  /** As {@link #start} without threads: a test steps the workers itself. */
  void prepare() {
    topics.load();
    workers.prepare();
  }

  /** A topic that exists. */
  Topic topic(TopicName name) {
    return topics.find(name).orElseThrow(() -> new NotFoundException("there is no topic " + name));
  }

  /** One step of every worker, after {@link #prepare}. */
  int step() {
    return workers.step();
  }

  /**
   * Stops taking and handing out messages, waits for holders to settle what they hold, and ends the
   * workers; all within the drain deadline. What is not settled by then goes back to the broker.
   * Done once: whoever calls it again waits for the first call's end.
   */
  public synchronized void drain() {
    draining = true;
    if (drained) {
      return;
    }
    drained = true;
    int abandoned = workers.drain(settings.drainDeadline(), refusalWhileDraining());
    Level level = abandoned == 0 ? Level.INFO : Level.WARNING;
    LOG.log(level, "Drained; {0} messages were still leased and will be redelivered", abandoned);
  }

  /** Begins to refuse what is new; {@link #drain} does the rest. */
  public void stopIntake() {
    draining = true;
  }

  /**
   * Removes a bounded amount of what the ledgers need not keep any more. For one thread at a time.
   *
   * @return how many entries that were older than their retention
   * @throws UnavailableException when the database is away
   */
  public int trimLedgers() {
    return ledgerRetention.step();
  }

  /** Whether every worker has its broker session. */
  public boolean isHealthy() {
    return workers.isHealthy();
  }

  /** Whether every worker's thread is there. */
  public boolean areWorkersAlive() {
    return workers.areAlive();
  }

  /** Whether new work is refused for good. */
  public boolean isDraining() {
    return draining;
  }

  /** The counts and bounds of this process. */
  public Limits limits() {
    return limits;
  }

  /** What this mailbox tells about itself. */
  @Override
  public List<Metric> metrics() {
    List<Metric> profile = List.of(Family.DLQ_PROFILE.of(() -> 1, settings.amnesia().dlqProfile()));
    return Stream.of(limits.metrics(), workers.metrics(), topics.metrics(), profile)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    CompletionStage<SendOutcome> outcome = take(caller, request);
    if (settings.amnesia().on()) {
      // The broker has a copy of its own, or the message was not taken.
      outcome.whenComplete((answer, failure) -> request.payload().wipe());
    }
    return outcome;
  }

  private CompletionStage<SendOutcome> take(Caller caller, SendRequest request) {
    Optional<Refusal> refused = refusal(caller, Operation.SEND, request.topic());
    if (refused.isPresent()) {
      return completedFuture(refused.get());
    }
    int maxFrame = settings.request().maxFrame();
    if (request.payload().size() > maxFrame) {
      throw new FrameTooLargeException("payload", maxFrame);
    }
    Topic topic = topics.require(request.topic());
    ShardId shard = topic.shardFor(request.idemKey(), request.shardKey());
    CompletableFuture<SendOutcome> reply = new CompletableFuture<>();
    int size = request.payload().size();
    Bound pending = limits.gauge(shard).pending();
    Bound full = limits.admit(size);
    if (full != null) {
      return completedFuture(full.refusal());
    }
    if (!pending.tryAdd(1, topic.settings().shardCapacity())) {
      limits.withdraw(size);
      return completedFuture(pending.refusal());
    }
    ShardWorker worker = workers.workerOf(shard);
    if (!worker.submit(command(request, topic, shard, pending, reply))) {
      pending.undo(1);
      limits.withdraw(size);
      return completedFuture(worker.saturated());
    }
    return reply;
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    Optional<Refusal> refused = refusal(caller, Operation.RECV, request.topic());
    if (refused.isPresent()) {
      return refused(refused.get());
    }
    Optional<Refusal> full = limits.leased().refusal(caller.capability());
    if (full.isPresent()) {
      return refused(full.get());
    }
    Topic topic = topics.require(request.topic());
    Duration visibility = visibility(request, topic);
    List<ShardId> shards = shards(request, topic);
    boolean waits = !request.maxWait().isZero();
    if (waits && !limits.waiting().tryAdd(1)) {
      return refused(limits.waiting().refusal());
    }
    List<ShardWorker> asked = workers.workersOf(shards);
    long deadline = ticker.nanos() + request.maxWait().toNanos();
    RecvCall call = new RecvCall(caller, topic, request, visibility, deadline, asked.size());
    if (waits) {
      call.outcome().thenRun(() -> limits.waiting().remove(1));
    }
    for (ShardWorker worker : asked) {
      if (!worker.submit(call)) {
        call.refuse(worker.saturated());
      }
    }
    return call;
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    if (request instanceof SettleRequest.Extend extend) {
      checkVisibility(extend.visibility());
    }
    CompletableFuture<SettleOutcome> reply = new CompletableFuture<>();
    ShardWorker worker = workers.workerOf(request.msgId());
    return worker.submit(new Command.Settle(caller, request, reply))
        ? reply
        : completedFuture(worker.saturated());
  }

  @Override
  public List<TopicName> list(Caller caller) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, null);
    return topics.all().stream().map(Topic::name).sorted().toList();
  }

  @Override
  public TopicStatus status(Caller caller, TopicName name) {
    caller.requireEither(Operation.PEEK, Operation.ADMIN, name);
    Topic topic = topic(name);
    long messages = 0;
    long delayed = 0;
    long inflight = 0;
    long oldest = 0;
    for (ShardId shard : topic.shards()) {
      QueueCounts counts = broker.counts(shard);
      messages += counts.messages();
      delayed += counts.scheduled();
      inflight += limits.inflight(shard);
      oldest = Math.max(oldest, counts.oldestReadyAgeMillis());
    }
    long ready = Math.max(0, messages - delayed - inflight);
    long dlq = broker.deadLetters(name);
    long age = ready == 0 ? 0 : oldest;
    String profile = settings.amnesia().dlqProfile();
    return new TopicStatus(topic, ready, inflight, delayed, dlq, profile, age);
  }

  @Override
  public boolean put(Caller caller, TopicName name, TopicOverrides overrides) {
    caller.require(Operation.ADMIN, name);
    return topics.put(name, overrides);
  }

  @Override
  public void delete(Caller caller, TopicName name) {
    caller.require(Operation.ADMIN, name);
    topics.delete(name, this::letGo);
  }

  private void letGo(Topic topic) {
    try {
      workers.drop(topic).orTimeout(DROP_PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    } catch (CompletionException e) {
      throw new UnavailableException("the workers did not let go of " + topic.name(), e);
    }
  }

  private Command.Send command(
      SendRequest request,
      Topic topic,
      ShardId shard,
      Bound pending,
      CompletableFuture<SendOutcome> reply) {
    Instant ts = Timestamps.truncated(wall.instant());
    Digest payloadHash = request.payload().hash();
    Envelope envelope =
        new Envelope(
            MsgId.create(shard.slot(), ts),
            topic.name(),
            ts,
            request.idemKey(),
            payloadHash,
            request.attrs(),
            request.corrId() != null ? request.corrId() : CorrId.random(),
            shard.index(),
            0,
            1,
            HashChain.of(topic.name(), ts, request.idemKey(), payloadHash, request.attrs()),
            request.sig());
    return new Command.Send(
        topic,
        shard,
        IdempotencyKey.of(topic, request.idemKey()),
        envelope,
        request.payload(),
        request.delay(),
        pending,
        reply);
  }

  private Duration visibility(RecvRequest request, Topic topic) {
    Duration asked = request.visibility();
    if (asked == null) {
      return topic.settings().defaultVisibility();
    }
    checkVisibility(asked);
    return asked;
  }

  private void checkVisibility(Duration asked) {
    Duration min = settings.visibility().min();
    Duration max = settings.visibility().max();
    if (asked.compareTo(min) < 0 || asked.compareTo(max) > 0) {
      throw new SchemaException(
          "visibility_ms", "must be between " + min.toMillis() + " and " + max.toMillis());
    }
  }

  private static List<ShardId> shards(RecvRequest request, Topic topic) {
    Integer only = request.shard();
    if (only == null) {
      return topic.shards();
    }
    if (only >= topic.settings().readyShards()) {
      throw new NotFoundException(topic.name() + " has no shard " + only);
    }
    return List.of(topic.shard(only));
  }

  private static PendingRecv refused(Refusal refusal) {
    CompletionStage<RecvOutcome> outcome = completedFuture(refusal);
    return new PendingRecv() {
      @Override
      public CompletionStage<RecvOutcome> outcome() {
        return outcome;
      }

      @Override
      public void abandon() {
        // Nothing was begun.
      }
    };
  }

  /** Why a call that names a topic is not even begun; empty when it is. */
  private Optional<Refusal> refusal(Caller caller, Operation operation, TopicName topic) {
    Optional<Denial> denial = caller.denial(operation, topic);
    if (denial.isPresent()) {
      return denial.map(Refusal::denied);
    }
    if (draining) {
      return Optional.of(refusalWhileDraining());
    }
    int perTopic = settings.rates().perTopic();
    Optional<Duration> wait =
        perTopic > 0 ? topicRates.take(topic, perTopic, SECOND) : Optional.empty();
    return wait.map(left -> Refusal.saturated("rate_topic", "too many calls on this topic", left));
  }

  private Refusal refusalWhileDraining() {
    return Refusal.unavailable("draining", "the service is stopping", settings.drainDeadline());
  }

  /** The queues of topics, at the broker. */
  private record BrokerQueues(Broker broker) implements TopicDirectory.Queues {
    @Override
    public void create(Topic topic) {
      broker.createQueues(topic);
    }

    @Override
    public void delete(Topic topic) {
      broker.deleteQueues(topic);
    }
  }
}
