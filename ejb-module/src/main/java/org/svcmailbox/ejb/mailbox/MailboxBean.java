package org.svcmailbox.ejb.mailbox;

import static java.util.Objects.requireNonNull;

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
import jakarta.inject.Inject;
import jakarta.jms.ConnectionFactory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.ScheduledMessage;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.CapabilityStore;
import org.svcmailbox.core.deadletter.CheckedLetter;
import org.svcmailbox.core.deadletter.DeadLetterService;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.health.ApplicationState;
import org.svcmailbox.core.health.ApplicationState.Half;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.ledger.LedgerVerdict;
import org.svcmailbox.core.mailbox.Mailbox;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.metrics.MetricsService;
import org.svcmailbox.core.redrive.JobId;
import org.svcmailbox.core.redrive.Redrive;
import org.svcmailbox.core.redrive.RedriveService;
import org.svcmailbox.core.sendlog.StoresRefusedException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Threads;
import org.svcmailbox.core.time.SteadyClock;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.core.topic.TopicOverrides;
import org.svcmailbox.ejb.broker.ArtemisBroker;
import org.svcmailbox.ejb.capability.JpaCapabilityStore;
import org.svcmailbox.ejb.deadletter.SqlLetterIndex;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.redrive.JpaJobStore;
import org.svcmailbox.ejb.sendlog.JpaSendLogStore;
import org.svcmailbox.ejb.settings.DataDirectory;
import org.svcmailbox.ejb.shutdown.Drain;
import org.svcmailbox.ejb.shutdown.ShutdownBean;
import org.svcmailbox.ejb.store.StoreBean;
import org.svcmailbox.ejb.topic.JpaTopicStore;

/**
 * The one bean that every door calls. It starts the mailbox with the deployment and drains it with
 * the process; what it does in between is the core's. No transaction of the container's is ever
 * begun for a call: the workers commit for many callers at once.
 */
@Singleton
@Startup
@DependsOn({"StoreBean", "SupervisorBean", "ShutdownBean"})
@ConcurrencyManagement(ConcurrencyManagementType.BEAN)
@TransactionManagement(TransactionManagementType.BEAN)
@Local({
  MailboxService.class,
  TopicAdmin.class,
  TopicContents.class,
  LedgerService.class,
  DeadLetterService.class,
  RedriveService.class,
  Vitals.class
})
public class MailboxBean
    implements MailboxService,
        TopicAdmin,
        TopicContents,
        LedgerService,
        DeadLetterService,
        RedriveService,
        Vitals {
  private static final Logger LOG = System.getLogger(MailboxBean.class.getName());

  @Inject private MailboxSettings settings;

  @EJB private StoreBean store;

  @EJB private MetricsService metrics;

  @EJB private Threads supervision;

  @EJB private ShutdownBean shutdown;

  @Resource(name = "jms/mailbox")
  private ConnectionFactory connectionFactory;

  @Resource private ManagedThreadFactory threads;

  private final FailStop failStop = new FailStop(Runtime.getRuntime()::halt);
  private ArtemisBroker broker;
  private Mailbox mailbox;
  private DeadLetters letters;
  private Redrive redrive;
  private Upkeep upkeep;
  private List<SupervisedThread> beside;
  private Drain ending;

  @PostConstruct
  void start() {
    InstantSource wall = InstantSource.system();
    InstantSource clock = new SteadyClock(wall, System::nanoTime);
    BrokerAccess access =
        BrokerAccess.of(((ActiveMQConnectionFactory) connectionFactory).getServerLocator());
    CapabilityStore audit = new JpaCapabilityStore(store.transactions());
    broker =
        new ArtemisBroker(
            access,
            clock,
            wall,
            topic -> mailbox.directory().letterRetention(topic),
            settings.amnesia().on());
    broker.requireProfile();
    broker.onDiskError(failStop::diskFailed);
    mailbox =
        new Mailbox(
            settings,
            new Mailbox.Ports(
                broker,
                new JpaSendLogStore(store.transactions()),
                new JpaTopicStore(store.transactions()),
                audit,
                new DataDisk(DataDirectory.mailbox()),
                System::nanoTime,
                clock,
                RandomGenerator.of("L64X128MixRandom"),
                Runnable::run));
    LetterIndex index = new SqlLetterIndex(store.transactions());
    letters = new DeadLetters(mailbox.directory(), index, broker.letterQueues(), mailbox.sendLog());
    broker.continuePositionsAfter(index.newest());
    broker.onDeath(letters::died);
    redrive =
        new Redrive(
            settings,
            new Redrive.Letters(letters, index, broker.letterQueues(), broker.letterMover()),
            mailbox.redriveTarget(),
            new Redrive.Records(new JpaJobStore(store.transactions()), audit),
            new Redrive.Sources(clock, System::nanoTime, new SecureRandom()));
    startMailbox();
    metrics.add(mailbox);
    metrics.add(letters);
    metrics.add(redrive);
    Runnable probe = store.transactions()::probe;
    upkeep =
        new Upkeep(
            mailbox,
            broker,
            failStop,
            letters,
            redrive,
            new RecordPurge(audit, settings.retention().audit(), clock, System::nanoTime),
            probe,
            settings);
    metrics.add(upkeep.tasks());
    redrive.load();
    beside = List.of(upkeep.start(supervision, threads), redrive.start(supervision, threads));
    ending = new Drain(mailbox::stopIntake, this::drain);
    shutdown.add(ending);
    ApplicationState.begun(Half.MAILBOX);
  }

  private void startMailbox() {
    try {
      mailbox.start(supervision, threads);
    } catch (StoresRefusedException e) {
      ApplicationState.refused();
      // In one line: the server puts a page around what fails a deployment.
      LOG.log(Level.ERROR, e.getMessage());
      throw e;
    }
  }

  @PreDestroy
  void stop() {
    ApplicationState.ended(Half.MAILBOX);
    shutdown.remove(ending);
    drain();
    upkeep.close();
    broker.close();
  }

  /** Everything ends within the drain deadline; what does not is left behind. */
  private void drain() {
    long until = System.nanoTime() + settings.drainDeadline().toNanos();
    beside.forEach(SupervisedThread::tellToEnd);
    mailbox.drain();
    beside.forEach(thread -> thread.end(Duration.ofNanos(until - System.nanoTime())));
  }

  @Override
  public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    return mailbox.send(caller, request);
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    return mailbox.recv(caller, request);
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    return mailbox.settle(caller, request);
  }

  @Override
  public MailboxService plain() {
    return mailbox;
  }

  @Override
  public TopicPage page(Caller caller, @Nullable TopicName after, int limit) {
    return mailbox.topicAdmin().page(caller, after, limit);
  }

  @Override
  public Overview list(Caller caller) {
    return mailbox.topicAdmin().list(caller);
  }

  @Override
  public TopicStatus status(Caller caller, TopicName name) {
    return mailbox.topicAdmin().status(caller, name);
  }

  @Override
  public boolean put(Caller caller, TopicName name, TopicOverrides overrides) {
    return mailbox.topicAdmin().put(caller, name, overrides);
  }

  @Override
  public void delete(Caller caller, TopicName name) {
    mailbox.topicAdmin().delete(caller, name);
  }

  @Override
  public void pause(Caller caller, TopicName name) {
    mailbox.topicAdmin().pause(caller, name);
  }

  @Override
  public void resume(Caller caller, TopicName name) {
    mailbox.topicAdmin().resume(caller, name);
  }

  @Override
  public List<StoredMessage> peek(
      Caller caller, TopicName topic, @Nullable Integer shard, int limit) {
    return mailbox.topicContents().peek(caller, topic, shard, limit);
  }

  @Override
  public ScheduledPage scheduled(
      Caller caller, TopicName topic, ScheduledMessage.Position after, int limit) {
    return mailbox.topicContents().scheduled(caller, topic, after, limit);
  }

  @Override
  public void cancelScheduled(Caller caller, TopicName topic, MsgId msgId) {
    mailbox.topicContents().cancelScheduled(caller, topic, msgId);
  }

  @Override
  public long purge(Caller caller, TopicName topic) {
    return mailbox.topicContents().purge(caller, topic);
  }

  @Override
  public Stretch ledger(Caller caller, TopicName topic, int shard, long from, int limit) {
    return mailbox.ledgers().ledger(caller, topic, shard, from, limit);
  }

  @Override
  public LedgerVerdict verify(Caller caller, TopicName topic, int shard, long from) {
    return mailbox.ledgers().verify(caller, topic, shard, from);
  }

  @Override
  public Page list(
      Caller caller, TopicName topic, LetterFilter filter, LetterPosition before, int limit) {
    return letters.list(caller, topic, filter, before, limit);
  }

  @Override
  public List<LetterGroup> groups(Caller caller, TopicName topic, LetterFilter filter) {
    return letters.groups(caller, topic, filter);
  }

  @Override
  public CheckedLetter read(Caller caller, TopicName topic, MsgId msgId) {
    return letters.read(caller, topic, msgId);
  }

  @Override
  public Map<DeadLetterReason, Long> dryRun(Caller caller, JobRequest request) {
    return redrive.dryRun(caller, request);
  }

  @Override
  public Status start(Caller caller, JobRequest request) {
    return redrive.start(caller, request);
  }

  @Override
  public Status job(Caller caller, JobId id) {
    return redrive.job(caller, id);
  }

  @Override
  public List<Status> jobs(Caller caller, @Nullable TopicName topic, int limit) {
    return redrive.jobs(caller, topic, limit);
  }

  @Override
  public Status pause(Caller caller, JobId id) {
    return redrive.pause(caller, id);
  }

  @Override
  public Status resume(Caller caller, JobId id) {
    return redrive.resume(caller, id);
  }

  @Override
  public Status cancel(Caller caller, JobId id) {
    return redrive.cancel(caller, id);
  }

  @Override
  public SendOutcome resend(Caller caller, Resend resend) {
    return redrive.resend(caller, resend);
  }

  @Override
  public Vital of(Part part) {
    return part == Part.THREADS ? supervision.vital() : requireNonNull(upkeep).vital(part);
  }
}
