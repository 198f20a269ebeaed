package org.svcmailbox.core.mailbox;

import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.audit.AuditLog;
import org.svcmailbox.core.batch.ProjectionStore;
import org.svcmailbox.core.batch.Projector;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.bounds.DiskSpace;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerQueues;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.store.CapabilityNames;
import org.svcmailbox.core.cluster.NodeGroups;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.StartException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.route.CountsLog;
import org.svcmailbox.core.route.GroupOwners;
import org.svcmailbox.core.route.GroupWorker;
import org.svcmailbox.core.route.OtherCounts;
import org.svcmailbox.core.route.PeerCounts;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.Streams;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.topic.TopicFigures;
import org.svcmailbox.core.topic.TopicRecovery;
import org.svcmailbox.core.topic.TopicStore;
import org.svcmailbox.core.worker.DrainedLeases;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.send.BatchLogPorts;
import org.svcmailbox.core.worker.state.Groups;
import org.svcmailbox.core.worker.state.GroupsHere;
import org.svcmailbox.core.worker.state.WorkerPorts;

/**
 * The mailbox of one process: starts and ends its parts, and provides their interfaces. A call goes
 * as a command to the worker of its shard.
 */
public final class Mailbox implements MailboxService, ReadyService, MetricSource {
  private static final Logger LOG = System.getLogger(Mailbox.class.getName());

  /** How often a change of a topic looks whether other nodes know it. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);

  private final MailboxSettings settings;
  private final Limits limits;
  private final InstantSource wall;
  private final Ticker ticker;
  private final TopicReport report;
  private final Broker broker;
  private final TopicStore topicStore;
  private final TopicDirectory topics;
  private final SendRegistry registry;
  private final Projector projector;
  private final StoredLedgers storedLedgers;
  private final GroupsHere here;
  private final PeerCounts peerCounts;
  private final WorkerPool workers;
  private final ProjectorThread projectorThread;
  private final WatchThread watch;
  private final IntakeGate gate;
  private final SendIntake sends;
  private final RecvIntake recvs;
  private final SettleIntake settlements;
  private final Streams streams;
  private final RegularThread streamThread;
  private final TopicFollower topicFollower;
  private final TopicService topicService;
  private final OwnTasks ownTasks;
  private final AdminAudit audit;
  private final QueueWatch queues;
  private final TopicMetrics topicMetrics;
  private final KeyPurge keyPurge;
  private final LedgerRetention ledgerRetention;
  private final RedriveTarget redriveTarget;
  private boolean drained;

  /** The database stores of a mailbox. */
  public record Stores(ProjectionStore projection, TopicStore topics, AuditLog audit) {}

  /**
   * The adapters of a mailbox.
   *
   * @param completer runs callers' continuations; must accept every task
   * @param rates counts a call against its capability's rates; throws {@code SaturatedException}
   */
  public record Ports(
      Broker broker,
      Stores stores,
      DiskSpace disk,
      Ticker ticker,
      InstantSource wall,
      RandomGenerator random,
      Executor completer,
      Consumer<Caller> rates) {}

  public Mailbox(MailboxSettings settings, Ports ports) {
    this(settings, here(settings), ports);
  }

  /** A node of a cluster has no more workers than groups. */
  private static GroupsHere here(MailboxSettings settings) {
    return settings
        .cluster()
        .map(cluster -> GroupsHere.none(among(settings, cluster)))
        .orElseGet(() -> GroupsHere.all(Groups.ofWorkers(settings.workers())));
  }

  private static Groups among(MailboxSettings settings, MailboxSettings.Cluster cluster) {
    return new Groups(cluster.groups(), Math.min(settings.workers(), cluster.groups()));
  }

  /**
   * Makes the logs of a cluster's groups, while no node runs. The logs of a server that was alone
   * go into the database first, as at its own start.
   *
   * @throws StartException if a topic has closing shards, or keys are remembered: those of other
   *     groups would look free
   */
  public static void seed(MailboxSettings settings, Ports ports) {
    Groups groups = among(settings, settings.cluster().orElseThrow());
    new Mailbox(settings, GroupsHere.all(groups), ports).seed();
  }

  private void seed() {
    TopicRecovery recovery = new TopicRecovery(topicStore, broker.topics());
    workers.prepare(recovery);
    load(recovery.highestId());
    topics.requireUnsorted();
    topics.all().stream().filter(Topic::isRebalancing).findFirst().ifPresent(Mailbox::refuse);
    long freed = 1;
    while (freed > 0) {
      freed = keyPurge.step();
    }
    long keys = registry.countKeys();
    if (keys > 0) {
      throw new StartException(
          "A server that was alone remembers %d idempotency keys. Start the cluster once they have expired, t_replay after its last SEND"
              .formatted(keys),
          false,
          null);
    }
  }

  private static void refuse(Topic topic) {
    throw new StartException(
        "The topic %s has shards that are closing. Start a server that is alone until they are closed"
            .formatted(topic.name()),
        true,
        null);
  }

  /** As above, with other groups than one for each worker, or among several processes. */
  Mailbox(MailboxSettings settings, GroupsHere here, Ports ports) {
    Ticker ticker = ports.ticker();
    InstantSource wall = ports.wall();
    this.settings = settings;
    this.here = here;
    this.wall = wall;
    this.ticker = ticker;
    this.limits = new Limits(settings, ports.disk(), ticker);
    this.broker = ports.broker();
    this.topicStore = ports.stores().topics();
    this.topics = directory(here, topicStore, broker, ticker, settings);
    this.registry = new SendRegistry(ports.stores().projection(), ticker::nanos);
    this.projector = registry.projector();
    this.storedLedgers = new StoredLedgers(registry);
    this.projectorThread = new ProjectorThread(projector);
    this.keyPurge = new KeyPurge(registry, limits, here, wall, ticker);
    this.ledgerRetention =
        new LedgerRetention(
            storedLedgers, topics::all, settings.retention(), limits.ledgerBytes(), wall, ticker);
    this.workers =
        new WorkerPool(
            settings,
            new WorkerPorts(
                limits, broker, topics, ticker, wall, ports.random(), ports.completer()),
            BatchLogPorts.of(registry, settings, here, ports.random()));
    this.gate = new IntakeGate(settings, ticker);
    VisibilityCheck visibility = new VisibilityCheck(settings.visibility());
    this.sends = new SendIntake(settings, gate, topics, workers, limits, ticker, wall);
    this.recvs = new RecvIntake(gate, visibility, topics, workers, limits, ticker);
    this.watch = new WatchThread(workers, recvs);
    this.settlements = new SettleIntake(visibility, workers, limits.workerMetrics(), ticker);
    this.streams =
        new Streams(
            new StreamSource(gate, recvs, settlements, topics, ports.rates()),
            limits,
            ticker,
            wall,
            ports.random());
    this.streamThread =
        new RegularThread("mailbox-streams", "streams", Streams.TICK, streams::tick);
    TopicDeletion deletion = new TopicDeletion(topics, workers, limits);
    this.peerCounts = new PeerCounts(here.among().count(), this::served, ticker);
    OtherCounts others = here.isAlone() ? OtherCounts.NONE : peerCounts;
    DeadLetterWatch letters =
        new DeadLetterWatch(
            topics, limits, broker, ticker, others, () -> here.serves(WorkerId.of(0)));
    this.queues = new QueueWatch(topics, workers, limits, broker, wall, deletion, letters);
    this.audit = new AdminAudit(ports.stores().audit(), wall);
    this.report =
        new TopicReport(limits, broker, letters, wall, settings.amnesia().dlqProfile(), others);
    this.topicFollower =
        new TopicFollower(topics, workers, deletion, storedLedgers::unappliedTopics);
    this.topicService = new TopicService(topics, workers, deletion, report, audit);
    this.ownTasks = new OwnTasks(topics, workers, broker, limits, storedLedgers);
    this.redriveTarget = new RedriveTarget(sends, topics, workers, limits);
    this.topicMetrics = new TopicMetrics(topics, limits, letters, wall);
  }

  private static TopicDirectory directory(
      GroupsHere here, TopicStore store, Broker broker, Ticker ticker, MailboxSettings settings) {
    BrokerQueues queues = new BrokerQueues(broker);
    return here.isAlone()
        ? new TopicDirectory(store, queues, settings)
        : new TopicDirectory(store, ticker, queues, settings);
  }

  /** Reads the topics and starts the workers, each on a thread of {@code factory}. */
  public void start(Supervision supervision, ThreadFactory factory) {
    prepare();
    projectorThread.start(supervision, factory);
    workers.start(supervision, factory);
    watch.thread().start(supervision, factory);
    streamThread.start(supervision, factory);
    if (!here.isAlone()) {
      topicFollower.thread().start(supervision, factory);
    }
  }

  /** As {@link #start} without threads, for tests that step the workers themselves. */
  void prepare() {
    limits.refreshDisk();
    TopicRecovery recovery = new TopicRecovery(topicStore, broker.topics());
    workers.prepare(recovery);
    load(recovery.highestId());
    if (here.isAlone()) {
      queues.countAll();
    }
    projector.onDoubt(topics::restore);
    workers.takeLeases();
  }

  /** A process that ends while it creates a topic leaves a row without some of its queues. */
  private void load(int highestId) {
    topics.load(highestId);
    List<TopicName> mended = broker.createMissing(topics.all());
    if (!mended.isEmpty()) {
      LOG.log(Level.WARNING, "Created missing queues of {0}", mended);
    }
  }

  /** The groups of this mailbox, which is one among several. */
  public NodeGroups groups() {
    return new MailboxGroups(here, workers, topicFollower::seen);
  }

  private Set<Integer> served() {
    return here.served().keySet().stream().map(WorkerId::number).collect(toSet());
  }

  /** The counts of other nodes, for a mailbox that is one among several. */
  public PeerCounts peerCounts() {
    return peerCounts;
  }

  /** The counts of this mailbox for other nodes. */
  public CountsLog countsLog(long life) {
    return new CountsLog(life, this::figures, this::served, ticker);
  }

  private Map<TopicName, TopicFigures> figures() {
    return topics.all().stream().collect(toMap(Topic::name, report::here));
  }

  /** The workers, which take groups and give them away. */
  WorkerPool workers() {
    return workers;
  }

  /** One step of every worker, after {@link #prepare}. */
  int step() {
    return workers.step();
  }

  /** One check of workers that may wait, after {@link #prepare}. */
  void watch() {
    watch.look();
  }

  int step(int worker) {
    return workers.step(worker);
  }

  /**
   * Stops accepting and delivering messages, and lets holders settle for a moment. Then hands the
   * remaining leases to the next start, and ends the workers, all within the drain deadline. It
   * runs once; a second call waits for the first to end.
   */
  public synchronized void drain() {
    gate.close();
    if (drained) {
      return;
    }
    drained = true;
    streams.tick();
    tell(workers.drain(settings.drainDeadline(), gate.stopping()));
    streamThread.end();
    topicFollower.thread().end();
    projectorThread.end();
    watch.thread().end();
  }

  /** Drains on the caller's thread, for tests, which start no threads. */
  void drainHere() {
    gate.close();
    drained = true;
    tell(workers.drainHere(gate.stopping()));
  }

  private void tell(DrainedLeases outcome) {
    DrainedLeases leases = settings.amnesia().on() ? outcome.lost() : outcome;
    Level level = leases.ended() == 0 ? Level.INFO : Level.WARNING;
    LOG.log(
        level,
        "Drained; {0} leases are kept for the next start, {1} have ended",
        leases.handedOver(),
        leases.ended());
  }

  /** Starts to refuse new calls; {@link #drain} does the rest. */
  public void stopIntake() {
    gate.close();
  }

  /**
   * Frees the idempotency keys whose window is over, for a bounded time. One thread at a time.
   *
   * @return how many
   * @throws UnavailableException if the database is away
   */
  public long purgeKeys() {
    return keyPurge.step();
  }

  /**
   * Removes ledger entries past their retention, for a bounded time. One thread at a time.
   *
   * @return the number of entries, without those of deleted topics
   * @throws UnavailableException if the database is away
   */
  public long trimLedgers() {
    return ledgerRetention.step();
  }

  /**
   * Looks how much the ledgers take, which another node trims.
   *
   * @throws UnavailableException if the database is away
   */
  public void measureLedgers() {
    ledgerRetention.measure();
  }

  /** When the session of a shard's worker began; now if it has none. */
  public Instant sessionSince(ShardId shard) {
    return workers.sessionSince(shard);
  }

  /** Whether every worker has its broker session. */
  public boolean isHealthy() {
    return workers.isHealthy();
  }

  /** The reason why database and broker cannot belong together; empty if there is none. */
  public String storeMismatch() {
    return registry.mismatch().detail();
  }

  /**
   * The reason why a log is incomplete or the database does not follow the logs; empty if all is
   * well.
   */
  public String projectionTrouble() {
    return workers.isStuck()
        ? "a worker takes no SENDs: an earlier transaction has not ended in the broker"
        : projector.trouble();
  }

  /** The registry of taken keys and ledger heads. */
  public SendRegistry registry() {
    return registry;
  }

  /** The projection of batches into the database. */
  public Projector projector() {
    return projector;
  }

  /** The ledgers in the database. */
  public StoredLedgers storedLedgers() {
    return storedLedgers;
  }

  /** Whether new work is refused until the process ends. */
  public boolean isDraining() {
    return gate.isDraining();
  }

  /** Streams of received messages. */
  public Streams streams() {
    return streams;
  }

  /** Takes over changes of topics by other nodes, for tests, which start no threads. */
  void followTopics() {
    topicFollower.turn();
  }

  /**
   * Topic administration for operators, of a node.
   *
   * @param known whether every other node knows the changes of topics up to a version
   */
  public ClusterTopics clusterTopics(LongPredicate known) {
    return new ClusterTopics(
        topicService,
        topics,
        known,
        new TopicEndings(topics, version -> knowsAll(known, version), ticker),
        ticker,
        () -> LockSupport.parkNanos(LOOK_EVERY.toNanos()));
  }

  private boolean knowsAll(LongPredicate others, long version) {
    return topicFollower.seen() >= version && others.test(version);
  }

  /** Topic administration for operators. */
  public TopicAdmin topicAdmin() {
    return topicService;
  }

  /** The directory of all topics. */
  public TopicDirectory directory() {
    return topics;
  }

  /** Carries out parts of operators' calls for groups of this mailbox. */
  public GroupWorker groupWorker() {
    return new GroupTasks(topics, workers, here, ownTasks, ticker);
  }

  private OwnerTasks tasks(Optional<GroupOwners> owners) {
    return owners.<OwnerTasks>map(known -> new ClusterTasks(known, broker)).orElse(ownTasks);
  }

  /** Operations on the messages of topics. */
  public TopicContents topicContents() {
    return topicContents(Optional.empty());
  }

  /**
   * As above.
   *
   * @param owners reach the nodes of other groups; empty for a mailbox that is alone
   */
  public TopicContents topicContents(Optional<GroupOwners> owners) {
    return new QueueContents(topics, tasks(owners), broker, audit);
  }

  /** The shared limits with their holders, and the names of those. */
  public HoldingService holdings(CapabilityNames names) {
    return holdings(names, Optional.empty());
  }

  /** As above, for leases of all nodes. */
  public HoldingService holdings(CapabilityNames names, Optional<GroupOwners> owners) {
    return new Holdings(limits, topics, workers, ownTasks, tasks(owners), audit, streams, names);
  }

  /** The ledgers for auditors. */
  public LedgerService ledgers() {
    return ledgers(Optional.empty());
  }

  /** As above, for ledgers of all nodes. */
  public LedgerService ledgers(Optional<GroupOwners> owners) {
    return new LedgerReader(topics, storedLedgers, tasks(owners));
  }

  /** A report of the state of the service, whose conditions begin now. */
  public StateReport stateReport(StateReport.Ports ports) {
    return new StateReport(limits, topics, report, ports, wall);
  }

  /** The history of all topics, which begins now. */
  public HistoryReport history(HistoryReport.Sources sources) {
    return new HistoryReport(topics, limits, wall, sources, settings.history());
  }

  /** The search for single messages, also among dead letters. */
  public LookupService lookup(DeadLetters letters, CapabilityNames names) {
    return new MessageLookup(
        new MessagePlaces.Sources(topics, workers, broker, registry, storedLedgers, letters),
        names,
        limits.lookups(),
        ticker,
        wall);
  }

  /** The target of redriven dead letters. */
  public RedriveTarget redriveTarget() {
    return redriveTarget;
  }

  /** Periodic checks of the queues. */
  public QueueWatch queues() {
    return queues;
  }

  /** The counts and limits of this process. */
  public Limits limits() {
    return limits;
  }

  @Override
  public List<Distribution> distributions() {
    return Stream.of(limits.workerMetrics(), streams)
        .map(MetricSource::distributions)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public List<Metric> metrics() {
    List<Metric> profile = List.of(Family.DLQ_PROFILE.of(() -> 1, settings.amnesia().dlqProfile()));
    return Stream.of(
            limits.metrics(),
            registry.mismatch().metrics(),
            projector.metrics(),
            projectorThread.metrics(),
            watch.thread().metrics(),
            streams.metrics(),
            streamThread.metrics(),
            here.isAlone() ? List.<Metric>of() : topicFollower.thread().metrics(),
            workers.metrics(),
            topics.metrics(),
            topicMetrics.metrics(),
            profile)
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    return sends.send(caller, request);
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    return recvs.recv(caller, request);
  }

  @Override
  public Watch whenReady(TopicName topic, @Nullable Integer shard, Runnable then) {
    return recvs.whenReady(topic, shard, then);
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    return settlements.settle(caller, request);
  }
}
