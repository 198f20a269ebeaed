package org.svcmailbox.ejb.mailbox;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import jakarta.annotation.Resource;
import jakarta.ejb.ConcurrencyManagement;
import jakarta.ejb.ConcurrencyManagementType;
import jakarta.ejb.DependsOn;
import jakarta.ejb.EJB;
import jakarta.ejb.Local;
import jakarta.ejb.Singleton;
import jakarta.ejb.Startup;
import jakarta.ejb.TransactionManagement;
import jakarta.ejb.TransactionManagementType;
import jakarta.enterprise.concurrent.ManagedThreadFactory;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.cluster.ClusterService;
import org.svcmailbox.core.condition.StateService;
import org.svcmailbox.core.deadletter.DeadLetterService;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.health.ApplicationState;
import org.svcmailbox.core.health.ApplicationState.Half;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.StatusHistory;
import org.svcmailbox.core.health.StatusTimes;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.history.HistoryService;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.route.PeerQuestions;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.core.service.Departure;
import org.svcmailbox.core.service.Drain;
import org.svcmailbox.core.service.Services;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.stream.StreamService;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Threads;
import org.svcmailbox.core.time.SteadyClock;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.ejb.capability.CapabilityBean;
import org.svcmailbox.ejb.cluster.ClusterNode;
import org.svcmailbox.ejb.cluster.NoPeers;
import org.svcmailbox.ejb.cluster.NodeCalls;
import org.svcmailbox.ejb.cluster.NotClustered;
import org.svcmailbox.ejb.shutdown.ShutdownBean;
import org.svcmailbox.ejb.store.StartSteps;
import org.svcmailbox.ejb.store.StoreBean;

/**
 * Starts the mailbox with the deployment, drains it with the process, and produces its services for
 * injection. Application scope makes an injected service lazy: a bean call during deployment would
 * wait for all start-up beans.
 */
@Singleton
@Startup
@DependsOn({"StoreBean", "SupervisorBean", "ShutdownBean"})
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local(Services.class)
public class MailboxBean implements Services {
  /** How long its thread may take to end a turn. */
  private static final Duration FOLLOWER_PATIENCE = Duration.ofSeconds(5);

  @Inject private MailboxSettings settings;

  @EJB private StoreBean store;

  @EJB private MetricsService metrics;

  @EJB private CapabilityBean capabilities;

  @EJB private Threads supervision;

  @EJB private ShutdownBean shutdown;

  @Resource private ManagedThreadFactory threads;

  private final StatusHistory statuses =
      new StatusHistory(new SteadyClock(InstantSource.system(), System::nanoTime));

  /** Null while the start waits for the broker. */
  private volatile @Nullable MailboxAssembly made;

  private StartSteps steps;
  private List<SupervisedThread> beside = List.of();
  private @Nullable Drain ending;

  /** The thread of a node of a cluster. */
  private final AtomicReference<@Nullable SupervisedThread> following = new AtomicReference<>();

  @PostConstruct
  void start() {
    steps = store.steps();
    steps.add(this::begin);
    ApplicationState.begun(Half.MAILBOX);
  }

  private void begin() {
    MailboxAssembly assembly =
        new MailboxAssembly(
            settings,
            store.transactions(),
            store.broker(),
            capabilities::noteDenials,
            capabilities::countCall,
            () -> metrics.sum(Family.REJECTED_TOTAL),
            vitals(),
            statuses,
            capabilities::peers,
            threads);
    try {
      assembly.join(store::whileNoNodeStarts);
      assembly.mailbox().start(supervision, threads);
    } catch (RuntimeException e) {
      assembly.close();
      throw e;
    }
    Optional<ClusterNode> node = assembly.cluster();
    if (node.isEmpty()) {
      loadJobs(assembly);
    }
    assembly.metrics().forEach(metrics::add);
    metrics.add(vitals()::metrics);
    List<SupervisedThread> started = new ArrayList<>();
    node.ifPresent(one -> started.add(capabilities.follow(supervision, threads)));
    started.add(assembly.maintenance().start(supervision, threads));
    started.add(assembly.redrive().start(supervision, threads));
    beside = List.copyOf(started);
    assembly.calls().ifPresent(calls -> calls.start(supervision, threads));
    node.ifPresent(one -> following.set(one.start(supervision, threads)));
    store.transactions().onReturn(assembly.mailbox().projector()::doubt);
    Drain drain = new Drain(assembly.mailbox()::stopIntake, () -> drain(assembly));
    ending = drain;
    shutdown.add(drain);
    node.ifPresent(one -> shutdown.leaveFirst(new Departure(one::leave, () -> leave(assembly))));
    made = assembly;
  }

  private static void loadJobs(MailboxAssembly assembly) {
    try {
      assembly.redrive().load();
    } catch (RuntimeException e) {
      assembly.mailbox().drain();
      assembly.close();
      throw e;
    }
  }

  @PreDestroy
  void stop() {
    ApplicationState.ended(Half.MAILBOX);
    store.endSteps();
    MailboxAssembly last = made;
    if (last != null && ending != null) {
      shutdown.remove(ending);
      leave(last);
      drain(last);
      last.calls().ifPresent(NodeCalls::close);
      last.close();
    }
  }

  /** Everything ends within the drain deadline; whatever does not is abandoned. */
  private void drain(MailboxAssembly last) {
    long until = System.nanoTime() + settings.drainDeadline().toNanos();
    beside.forEach(SupervisedThread::tellToEnd);
    last.mailbox().drain();
    beside.forEach(thread -> thread.end(Duration.ofNanos(until - System.nanoTime())));
    endHistory(last, until);
  }

  /** Every call is served until the other nodes have the groups. Runs once. */
  private void leave(MailboxAssembly last) {
    SupervisedThread follows = following.getAndSet(null);
    if (follows == null) {
      return;
    }
    last.cluster().ifPresent(ClusterNode::leave);
    last.cluster().ifPresent(ClusterNode::awaitLeft);
    follows.end(FOLLOWER_PATIENCE);
    last.calls().ifPresent(NodeCalls::endWaits);
  }

  /** Offers a part of a service if this process is a node of a cluster. */
  private <T> T offered(Class<T> type, T service) {
    return settings.cluster().isPresent() ? NotClustered.of(type, service) : service;
  }

  /** Writes the minute that is not complete, on a thread that may wait for the database. */
  private void endHistory(MailboxAssembly last, long until) {
    Thread thread = threads.newThread(last::endHistory);
    thread.start();
    try {
      thread.join(Math.max(1, Duration.ofNanos(until - System.nanoTime()).toMillis()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  @Produces
  @ApplicationScoped
  public MailboxService mailbox() {
    MailboxAssembly present = made();
    return present.calls().map(NodeCalls::mailbox).orElseGet(present::mailbox);
  }

  @Override
  @Produces
  @ApplicationScoped
  public StreamService streams() {
    return made().mailbox().streams();
  }

  @Override
  @Produces
  @ApplicationScoped
  public TopicAdmin topics() {
    return offered(TopicAdmin.class, made().topics());
  }

  @Override
  @Produces
  @ApplicationScoped
  public TopicContents contents() {
    return made().contents();
  }

  @Override
  @Produces
  @ApplicationScoped
  public HoldingService holdings() {
    return made().holdings();
  }

  @Override
  @Produces
  @ApplicationScoped
  public LedgerService ledgers() {
    return made().ledgers();
  }

  @Override
  @Produces
  @ApplicationScoped
  public DeadLetterService letters() {
    return made().letters();
  }

  @Override
  @Produces
  @ApplicationScoped
  public RedriveService redrives() {
    return offered(RedriveService.class, made().redrive());
  }

  @Override
  @Produces
  @ApplicationScoped
  public StateService state() {
    return made().state();
  }

  @Override
  @Produces
  @ApplicationScoped
  public LookupService lookups() {
    return offered(LookupService.class, made().lookups());
  }

  @Override
  @Produces
  @ApplicationScoped
  public HistoryService history() {
    return made().history();
  }

  @Override
  @Produces
  @ApplicationScoped
  public ClusterService cluster() {
    return made().clusterReport();
  }

  @Override
  @Produces
  @ApplicationScoped
  public PeerService peers() {
    return made().calls().map(NodeCalls::peers).orElseGet(NoPeers::new);
  }

  @Override
  @Produces
  @ApplicationScoped
  public PeerQuestions questions() {
    return made().calls().map(NodeCalls::questions).orElseGet(NoPeers::new);
  }

  @Override
  @Produces
  @ApplicationScoped
  public Vitals vitals() {
    return this::vital;
  }

  @Override
  @Produces
  @ApplicationScoped
  public StatusTimes statusTimes() {
    return statuses;
  }

  private Vital vital(Part part) {
    MailboxAssembly present = made;
    return switch (part) {
      case THREADS -> supervision.vital();
      case JOURNAL -> present == null ? Vital.up(part) : present.maintenance().vital(part);
      default ->
          present != null && steps.reason().isEmpty()
              ? vital(part, present.maintenance())
              : Vital.down(part, "the start is not complete: " + steps.reason());
    };
  }

  private Vital vital(Part part, Maintenance maintenance) {
    return part == Part.CAPABILITIES
        ? capabilities.vital(maintenance.vital(Part.DATABASE))
        : maintenance.vital(part);
  }

  private MailboxAssembly made() {
    MailboxAssembly present = made;
    if (present == null) {
      throw new UnavailableException("the service starts once its broker answers");
    }
    return present;
  }
}
