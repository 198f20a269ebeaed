package org.svcmailbox.core.mailbox;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditLog;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.bounds.DiskSpace;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.Denial;
import org.svcmailbox.core.capability.Operation;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rate.Buckets;
import org.svcmailbox.core.sendlog.SendLog;
import org.svcmailbox.core.sendlog.SendLogStore;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.worker.Command;
import org.svcmailbox.core.worker.Inbox;
import org.svcmailbox.core.worker.LogPorts;
import org.svcmailbox.core.worker.RecvCall;
import org.svcmailbox.core.worker.Send;
import org.svcmailbox.core.worker.Settle;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.WorkerPorts;

/**
 * The mailbox of one process: checks a request against the settings, finds the shard and its
 * worker, and hands over a command. All hashing happens here, on the caller's thread.
 */
public final class Mailbox implements MailboxService, MetricSource {
  private static final Logger LOG = System.getLogger(Mailbox.class.getName());
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** How long the last projection may take at the end. */
  private static final Duration PROJECTOR_END = Duration.ofSeconds(1);

  private final MailboxSettings settings;
  private final Limits limits;
  private final Broker broker;
  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final TopicService topicService;
  private final SendLog sendLog;
  private final Turns projection;
  private final Tasks projectorTasks = new Tasks("projector");
  private final LedgerReader ledgers;
  private final QueueWatch queues;
  private final TopicMetrics topicMetrics;
  private final Ticker ticker;
  private final InstantSource wall;
  private final KeyPurge keyPurge;
  private final LedgerRetention ledgerRetention;
  private final RedriveTarget redriveTarget;
  private final Buckets<TopicName> topicRates;
  private volatile boolean draining;
  private boolean drained;
  private @Nullable SupervisedThread projector;

  /** What a mailbox keeps in its database. */
  public record Stores(SendLogStore sendLog, TopicStore topics, AuditLog audit) {}

  /**
   * The adapters of a mailbox.
   *
   * @param completer runs callers' continuations; must take whatever it is given
   */
  public record Ports(
      Broker broker,
      Stores stores,
      DiskSpace disk,
      Ticker ticker,
      InstantSource wall,
      RandomGenerator random,
      Executor completer) {}

  public Mailbox(MailboxSettings settings, Ports ports) {
    this.settings = settings;
    this.limits = new Limits(settings, ports.disk(), ports.ticker());
    this.broker = ports.broker();
    this.ticker = ports.ticker();
    this.wall = ports.wall();
    this.topics = new TopicDirectory(ports.stores().topics(), new BrokerQueues(ports.broker()), settings);
    this.sendLog = new SendLog(ports.stores().sendLog(), ticker::nanos);
    this.projection = new Turns(sendLog::project);
    sendLog.onWork(projection::wake);
    this.keyPurge = new KeyPurge(sendLog, limits, wall, ticker);
    this.ledgerRetention =
        new LedgerRetention(
            sendLog, topics::all, settings.retention(), limits.ledgerBytes(), wall, ticker);
    this.topicRates = new Buckets<>(settings.rates().buckets(), ticker::nanos);
    this.workers =
        new WorkerPool(
            settings,
            new WorkerPorts(
                limits,
                ports.broker(),
                topics,
                ports.ticker(),
                ports.wall(),
                ports.random(),
                ports.completer()),
            LogPorts.of(sendLog, settings));
    this.queues =
        new QueueWatch(
            topics, workers, limits, ports.broker(), wall, ticker, this::finishDeletions);
    this.topicService =
        new TopicService(topics, workers, limits, queues, ports, settings.amnesia().dlqProfile());
    this.redriveTarget = new RedriveTarget(this, topics, workers, limits);
    this.ledgers = new LedgerReader(topics, sendLog);
    this.topicMetrics = new TopicMetrics(topics, limits, queues, wall);
  }

  /** Reads the topics and starts the workers, each on a thread of {@code factory}. */
  public void start(Supervision supervision, ThreadFactory factory) {
    load();
    queues.countAll();
    workers.prepare();
    projector = supervision.start("mailbox-projector", projectorTasks, factory, projection);
    workers.start(supervision, factory);
  }

  /** As {@link #start} without threads: a test steps the workers itself. */
  void prepare() {
    load();
    queues.countAll();
    workers.prepare();
  }

  /** A process that ends while it makes a topic leaves a row, and not all of its queues. */
  private void load() {
    limits.refreshDisk();
    topics.load();
    List<TopicName> mended = broker.createMissing(topics.all());
    if (!mended.isEmpty()) {
      LOG.log(Level.WARNING, "Queues were missing, and have been made, of {0}", mended);
    }
  }

  /** The queue watch and the topic service know each other; this breaks the circle. */
  private void finishDeletions() {
    topicService.finishDeletions();
  }

  Topic topic(TopicName name) {
    return topics.find(name).orElseThrow(() -> new NotFoundException("there is no topic " + name));
  }

  /** One step of every worker, after {@link #prepare}. */
  int step() {
    return workers.step();
  }

  int step(int worker) {
    return workers.step(worker);
  }

  /**
   * Stops taking and handing out messages, waits for holders to settle what they hold, and ends the
   * workers; all within the drain deadline. Unsettled messages then go back to the broker. Runs
   * once; a second call waits for the first to end.
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
    endProjection();
  }

  /** Leaves the database up to date if it can; otherwise the next start brings it there. */
  private void endProjection() {
    SupervisedThread thread = projector;
    if (thread != null) {
      if (!sendLog.awaitProjection(PROJECTOR_END)) {
        LOG.log(Level.WARNING, "The database is behind; the next start brings it up to date");
      }
      thread.end(PROJECTOR_END);
    }
  }

  /** Begins to refuse what is new; {@link #drain} does the rest. */
  public void stopIntake() {
    draining = true;
  }

  /**
   * Frees the idempotency keys whose window is over, for a bounded time. For one thread at a time.
   *
   * @return how many
   * @throws UnavailableException when the database is away
   */
  public long purgeKeys() {
    return keyPurge.step();
  }

  /**
   * Removes what the ledgers need not keep any more, for a bounded time. For one thread at a time.
   *
   * @return how many entries of topics that exist
   * @throws UnavailableException when the database is away
   */
  public long trimLedgers() {
    return ledgerRetention.step();
  }

  /** Whether every worker has its broker session. */
  public boolean isHealthy() {
    return workers.isHealthy();
  }

  /** Why database and broker cannot belong together; empty when nothing says so. */
  public String storeMismatch() {
    return sendLog.mismatch().detail();
  }

  /** Why the database does not follow the logs; empty when it does. */
  public String projectionTrouble() {
    return sendLog.projectionTrouble();
  }

  /** Which keys are taken, and the ledgers. */
  public SendLog sendLog() {
    return sendLog;
  }

  /** Whether new work is refused for good. */
  public boolean isDraining() {
    return draining;
  }

  /** Topics as operators manage them. */
  public TopicAdmin topicAdmin() {
    return topicService;
  }

  /** The topics there are. */
  public TopicDirectory directory() {
    return topics;
  }

  /** Operations on the messages of topics. */
  public TopicContents topicContents() {
    return topicService;
  }

  /** The ledgers as auditors read them. */
  public LedgerService ledgers() {
    return ledgers;
  }

  /** How dead letters come back. */
  public RedriveTarget redriveTarget() {
    return redriveTarget;
  }

  /** Periodic checks of the queues. */
  public QueueWatch queues() {
    return queues;
  }

  /** The counts and bounds of this process. */
  public Limits limits() {
    return limits;
  }

  @Override
  public List<Distribution> distributions() {
    return limits.workerMetrics().distributions();
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> profile = List.of(Family.DLQ_PROFILE.of(() -> 1, settings.amnesia().dlqProfile()));
    return Stream.of(
            limits.metrics(),
            sendLog.mismatch().metrics(),
            sendLog.metrics(),
            projectorTasks.metrics(),
            workers.metrics(),
            topics.metrics(),
            topicMetrics.metrics(),
            profile)
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
    return refused.isPresent() ? completedFuture(refused.get()) : accept(request, null);
  }

  /**
   * Hands a message over to the worker of its shard.
   *
   * @param origin the dead letter that is to leave with it; null for a message of a client
   */
  private CompletionStage<SendOutcome> accept(SendRequest request, @Nullable SourceLetter origin) {
    long since = ticker.nanos();
    int maxFrame = settings.request().maxFrame();
    if (request.payload().size() > maxFrame) {
      throw new FrameTooLargeException("payload", maxFrame);
    }
    Digest claimed = request.payloadHash();
    if (claimed != null && !claimed.equals(request.payload().hash())) {
      return completedFuture(new SendOutcome.HashMismatch());
    }
    Refusal noRoom = origin == null ? limits.diskRefusal() : null;
    if (noRoom != null) {
      return completedFuture(noRoom);
    }
    Topic topic = topics.require(request.topic());
    ShardId shard = topic.shardFor(request.idemKey(), request.shardKey());
    CompletableFuture<SendOutcome> reply = new CompletableFuture<>();
    int size = request.payload().size();
    CapacityLimit pending = limits.counters(shard).pending();
    CapacityLimit full = limits.admit(size);
    if (full != null) {
      return completedFuture(full.refusal());
    }
    if (!pending.tryAdd(1, topic.settings().shardCapacity())) {
      limits.withdraw(size);
      return completedFuture(pending.refusal());
    }
    Inbox<Command> inbox = workers.inboxOf(shard);
    if (!inbox.offer(command(request, topic, shard, origin, pending, reply))) {
      pending.undo(1);
      limits.withdraw(size);
      return completedFuture(inbox.refusal());
    }
    return reply.thenApply(outcome -> sent(outcome, since));
  }

  /** A SEND that no client asked for: of a message that is made of a dead letter. */
  CompletionStage<SendOutcome> redrive(SendRequest request, SourceLetter origin) {
    return draining ? completedFuture(refusalWhileDraining()) : accept(request, origin);
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    long since = ticker.nanos();
    Optional<Refusal> refused = refusal(caller, Operation.RECV, request.topic());
    if (refused.isPresent()) {
      return refused(refused.get());
    }
    Optional<Refusal> full = limits.inflightLimits().refusal(caller.capability());
    if (full.isPresent()) {
      return refused(full.get());
    }
    Topic topic = topics.require(request.topic());
    CapacityLimit inflight = limits.topics().of(topic.name()).inflight();
    inflight.capacity(topic.settings().retention().inflightCount());
    if (inflight.isFull()) {
      return refused(inflight.refusal());
    }
    Duration visibility = visibility(request, topic);
    List<ShardId> shards = shards(request, topic);
    boolean waits = !request.maxWait().isZero();
    if (waits && !limits.waiting().tryAdd(1)) {
      return refused(limits.waiting().refusal());
    }
    List<Inbox<Command>> asked = workers.inboxesOf(shards);
    long deadline = since + request.maxWait().toNanos();
    RecvCall call = new RecvCall(caller, topic, request, visibility, since, deadline, asked.size());
    if (waits) {
      limits.workerMetrics().waits().spawned();
      call.outcome().thenAccept(outcome -> waited(call, outcome));
    }
    for (Inbox<Command> inbox : asked) {
      if (!inbox.offer(call)) {
        call.refuse(inbox.refusal());
      }
    }
    return call;
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    long since = ticker.nanos();
    if (request instanceof SettleRequest.Extend extend) {
      checkVisibility(extend.visibility(), settings.visibility().max());
    }
    CompletableFuture<SettleOutcome> reply = new CompletableFuture<>();
    Inbox<Command> inbox = workers.inboxOf(request.msgId());
    if (!inbox.offer(new Settle(caller, request, reply))) {
      return completedFuture(inbox.refusal());
    }
    return request instanceof SettleRequest.Ack
        ? reply.thenApply(outcome -> acknowledged(outcome, since))
        : reply;
  }

  /** A repeated SEND put nothing into a queue. */
  private SendOutcome sent(SendOutcome outcome, long since) {
    if (outcome instanceof SendOutcome.Accepted accepted && !accepted.duplicate()) {
      limits.workerMetrics().enqueued(since);
    }
    return outcome;
  }

  private SettleOutcome acknowledged(SettleOutcome outcome, long since) {
    if (outcome instanceof SettleOutcome.Done) {
      limits.workerMetrics().acknowledged(since);
    }
    return outcome;
  }

  /** A call that waited is answered: with messages, in vain, or before its time. */
  private void waited(RecvCall call, RecvOutcome outcome) {
    limits.waiting().remove(1);
    boolean isEmpty = outcome.equals(RecvOutcome.Delivered.NONE);
    if (isEmpty && ticker.nanos() - call.deadline() >= 0) {
      limits.workerMetrics().waitedInVain();
    } else if (isEmpty || (draining && outcome instanceof Refusal)) {
      limits.workerMetrics().waits().canceled();
    }
  }

  private Send command(
      SendRequest request,
      Topic topic,
      ShardId shard,
      @Nullable SourceLetter origin,
      CapacityLimit pending,
      CompletableFuture<SendOutcome> reply) {
    Instant ts = Timestamps.truncated(wall.instant());
    Digest claimed = request.payloadHash();
    Digest payloadHash = claimed != null ? claimed : request.payload().hash();
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
    return new Send(topic, shard, envelope, request, origin, pending, reply);
  }

  private Duration visibility(RecvRequest request, Topic topic) {
    Duration asked = request.visibility();
    if (asked == null) {
      return topic.settings().defaultVisibility();
    }
    Duration most = topic.settings().retention().inflightOf(asked);
    Duration max = settings.visibility().max();
    checkVisibility(asked, most.compareTo(max) < 0 ? most : max);
    return asked;
  }

  private void checkVisibility(Duration asked, Duration max) {
    Duration min = settings.visibility().min();
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
    if (only >= topic.state().liveShards()) {
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
}
