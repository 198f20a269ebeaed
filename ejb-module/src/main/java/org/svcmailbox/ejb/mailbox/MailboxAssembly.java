package org.svcmailbox.ejb.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.cluster.ClusterReport;
import org.svcmailbox.core.condition.BrokerStanding;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.deadletter.LetterIndex;
import org.svcmailbox.core.delivery.HoldingService;
import org.svcmailbox.core.delivery.TopicContents;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.health.StatusTimes;
import org.svcmailbox.core.health.Vitals;
import org.svcmailbox.core.ledger.LedgerService;
import org.svcmailbox.core.lookup.LookupService;
import org.svcmailbox.core.mailbox.ClusterTopics;
import org.svcmailbox.core.mailbox.HistoryReport;
import org.svcmailbox.core.mailbox.Mailbox;
import org.svcmailbox.core.mailbox.StateReport;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.run.Redrive;
import org.svcmailbox.core.route.GroupOwners;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.SteadyClock;
import org.svcmailbox.core.topic.TopicAdmin;
import org.svcmailbox.ejb.batch.JpaProjectionStore;
import org.svcmailbox.ejb.broker.ArtemisBroker;
import org.svcmailbox.ejb.capability.JpaCapabilityStore;
import org.svcmailbox.ejb.cluster.ClusterNode;
import org.svcmailbox.ejb.cluster.NodeCalls;
import org.svcmailbox.ejb.cluster.SqlClusterStore;
import org.svcmailbox.ejb.deadletter.SqlLetterIndex;
import org.svcmailbox.ejb.history.SqlHistoryStore;
import org.svcmailbox.ejb.link.BrokerAccess;
import org.svcmailbox.ejb.redrive.JpaJobStore;
import org.svcmailbox.ejb.settings.DataDirectory;
import org.svcmailbox.ejb.store.Transactions;
import org.svcmailbox.ejb.topic.JpaTopicStore;

/** The core, assembled with broker, database and disk. Starts no thread. */
final class MailboxAssembly {
  private static final Logger LOG = System.getLogger(MailboxAssembly.class.getName());

  /** A configuration error, by the convention of {@code sysexits.h}. */
  private static final int REPLACED = 78;

  private final MailboxSettings settings;
  private final Transactions database;
  private final Runnable denials;
  private final Consumer<Caller> rates;
  private final CapabilityStore audit;
  private final InstantSource wall = InstantSource.system();
  private final InstantSource clock = new SteadyClock(wall, System::nanoTime);
  private final FailStop failStop = new FailStop(Runtime.getRuntime()::halt);
  private final BrokerDisk disk = new BrokerDisk(new DataDisk(DataDirectory.mailbox()));
  private final ArtemisBroker broker;
  private final Mailbox mailbox;
  private final DeadLetters letters;
  private final Redrive redrive;
  private final StateReport state;
  private final HistoryReport history;
  private final LookupService lookups;
  private final HoldingService holdings;
  private final TopicContents contents;
  private final LedgerService ledgers;
  private final Maintenance maintenance;
  private final Optional<ClusterNode> cluster;
  private final Optional<NodeCalls> calls;
  private final Optional<ClusterTopics> clusterTopics;

  /**
   * @param peers the capabilities of this process, once its start is complete
   * @param threads makes the threads of a node's calls to others
   */
  MailboxAssembly(
      MailboxSettings settings,
      Transactions database,
      BrokerAccess access,
      Runnable denials,
      Consumer<Caller> rates,
      LongSupplier refused,
      Vitals vitals,
      StatusTimes times,
      Supplier<PeerCapabilities> peers,
      ThreadFactory threads) {
    this.denials = denials;
    this.rates = rates;
    this.settings = settings;
    this.database = database;
    audit = new JpaCapabilityStore(database);
    broker = openBroker(access);
    mailbox = new Mailbox(settings, ports());
    cluster = settings.cluster().map(this::node);
    calls = cluster.map(node -> calls(node, peers, threads));
    clusterTopics = cluster.map(node -> mailbox.clusterTopics(node::knowTopics));
    LetterIndex index = new SqlLetterIndex(database);
    letters =
        new DeadLetters(
            mailbox.directory(), index, broker.letterQueues(), mailbox.storedLedgers(), audit);
    broker.continuePositionsAfter(index.newest());
    broker.onDeath(letters::died);
    state =
        mailbox.stateReport(
            new StateReport.Ports(vitals, times, () -> standing(access.state().serving())));
    lookups = mailbox.lookup(letters, audit);
    Optional<GroupOwners> owners = calls.map(NodeCalls::groups);
    holdings = mailbox.holdings(audit, owners);
    contents = mailbox.topicContents(owners);
    ledgers = mailbox.ledgers(owners);
    history =
        mailbox.history(
            new HistoryReport.Sources(
                new SqlHistoryStore(database, this::number), refused, wall, System::nanoTime));
    redrive = makeRedrive(index);
    maintenance = makeMaintenance();
  }

  private ClusterNode node(MailboxSettings.Cluster given) {
    return new ClusterNode(given, database, mailbox.groups(), this::endReplaced);
  }

  /** Names this process in rows of its own. */
  private int number() {
    return cluster.map(ClusterNode::number).orElse(SqlHistoryStore.ALONE);
  }

  private NodeCalls calls(
      ClusterNode node, Supplier<PeerCapabilities> peers, ThreadFactory threads) {
    return new NodeCalls(
        settings.cluster().orElseThrow(),
        new NodeCalls.Local(
            mailbox,
            mailbox,
            mailbox.directory()::require,
            mailbox.groupWorker(),
            mailbox.countsLog(new SecureRandom().nextLong()),
            mailbox.peerCounts()),
        node.owners(),
        peers,
        threads);
  }

  /** Another process has this node's name, and the broker gives it the groups. */
  private void endReplaced() {
    mailbox.drain();
    Runtime.getRuntime().halt(REPLACED);
  }

  /**
   * Does what a start does before anything else: a node joins its cluster, and a server that is
   * alone ends the one that the database knows.
   *
   * @param once runs what one node at a time may do
   */
  void join(Consumer<Runnable> once) {
    if (cluster.isPresent()) {
      ClusterNode node = cluster.get();
      once.accept(() -> node.prepare(() -> Mailbox.seed(settings, ports())));
      node.join();
    } else {
      new SqlClusterStore(database).end();
    }
  }

  /** This process as a node; empty for a server that is alone. */
  Optional<ClusterNode> cluster() {
    return cluster;
  }

  /** The cluster as this process sees it. */
  ClusterReport clusterReport() {
    return cluster.map(ClusterNode::report).orElseGet(ClusterReport::alone);
  }

  /** The calls between this process and other nodes; empty for a server that is alone. */
  Optional<NodeCalls> calls() {
    return calls;
  }

  private BrokerStanding standing(@Nullable String serving) {
    return new BrokerStanding(
        settings.broker().isPresent() ? "external" : "embedded", serving, broker.standby().waits());
  }

  private ArtemisBroker openBroker(BrokerAccess access) {
    ArtemisBroker opened =
        new ArtemisBroker(access, clock, wall, this::letterRetention, settings.amnesia().on());
    try {
      opened.requireProfile();
      opened.onDiskError(failStop::diskFailed);
      return opened;
    } catch (RuntimeException e) {
      opened.close();
      throw e;
    }
  }

  /** The broker is created before the mailbox, and calls this only when letters die. */
  private Duration letterRetention(TopicName topic) {
    return mailbox.directory().letterRetention(topic);
  }

  private Mailbox.Ports ports() {
    return new Mailbox.Ports(
        broker,
        new Mailbox.Stores(new JpaProjectionStore(database), new JpaTopicStore(database), audit),
        disk,
        System::nanoTime,
        clock,
        RandomGenerator.of("L64X128MixRandom"),
        Runnable::run,
        rates);
  }

  private Redrive makeRedrive(LetterIndex index) {
    return new Redrive(
        settings,
        new Redrive.Letters(letters, index, broker.letterQueues(), broker.letterMover()),
        mailbox.redriveTarget(),
        new Redrive.Records(new JpaJobStore(database), audit, broker.discardPermits()),
        new Redrive.Sources(clock, System::nanoTime, new SecureRandom()));
  }

  private Maintenance makeMaintenance() {
    return new Maintenance(
        mailbox,
        broker,
        failStop,
        disk,
        letters,
        redrive,
        new AuditRecords(
            denials, new RecordPurge(audit, settings.retention().audit(), clock, System::nanoTime)),
        database::probe,
        state,
        history,
        cluster,
        clusterTopics,
        clock,
        settings);
  }

  Mailbox mailbox() {
    return mailbox;
  }

  TopicAdmin topics() {
    return clusterTopics.<TopicAdmin>map(node -> node).orElseGet(mailbox::topicAdmin);
  }

  DeadLetters letters() {
    return letters;
  }

  StateReport state() {
    return state;
  }

  HoldingService holdings() {
    return holdings;
  }

  TopicContents contents() {
    return contents;
  }

  LedgerService ledgers() {
    return ledgers;
  }

  LookupService lookups() {
    return lookups;
  }

  HistoryReport history() {
    return history;
  }

  Redrive redrive() {
    return redrive;
  }

  Maintenance maintenance() {
    return maintenance;
  }

  /** Writes the history to its end, unless the database is away. */
  void endHistory() {
    try {
      history.end();
    } catch (UnavailableException e) {
      LOG.log(Level.WARNING, "The last minutes of the history are lost: {0}", e.getMessage());
    }
  }

  List<MetricSource> metrics() {
    List<MetricSource> sources =
        new ArrayList<>(
            List.of(mailbox, letters, redrive, history, broker.standby(), maintenance.tasks()));
    clusterTopics.ifPresent(sources::add);
    cluster.ifPresent(node -> sources.addAll(List.of(node.tasks(), node.report())));
    calls.ifPresent(made -> sources.addAll(made.metrics()));
    return sources;
  }

  /** Call only when no thread uses them any more. */
  void close() {
    maintenance.close();
    broker.close();
  }
}
