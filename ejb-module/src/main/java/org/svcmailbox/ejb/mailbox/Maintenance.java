package org.svcmailbox.ejb.mailbox;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.core.deadletter.DeadLetters;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.mailbox.ClusterTopics;
import org.svcmailbox.core.mailbox.HistoryReport;
import org.svcmailbox.core.mailbox.Mailbox;
import org.svcmailbox.core.mailbox.Purge;
import org.svcmailbox.core.mailbox.QueueWatch;
import org.svcmailbox.core.mailbox.StateReport;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.metrics.Tasks;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.run.Redrive;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.supervision.SupervisedThread;
import org.svcmailbox.core.supervision.Supervision;
import org.svcmailbox.core.supervision.Turns;
import org.svcmailbox.ejb.broker.ArtemisBroker;
import org.svcmailbox.ejb.cluster.ClusterNode;
import org.svcmailbox.ejb.letters.UndeliverableSorter;
import org.svcmailbox.ejb.letters.UndeliverableSorter.Sorted;

/**
 * Periodic tasks: purge expired keys, trim the ledgers and the audit, sort undeliverable messages,
 * and check the parts the service depends on. One task at a time, each bounded, none in the path of
 * a call.
 */
final class Maintenance {
  private static final Logger LOG = System.getLogger(Maintenance.class.getName());
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Turns between comparisons of the dead-letter index with the queues. */
  private static final int RECONCILE = 10;

  /** The time of a turn for fingerprints that must be recomputed. */
  private static final Duration REGROUPING_TIME = Duration.ofMillis(500);

  /** Turns between evaluations of the conditions. */
  private static final int CONDITIONS = 10;

  /** Turns between checks of what rarely changes. */
  private static final int RARELY = 30;

  private final Mailbox mailbox;
  private final ArtemisBroker broker;
  private final FailStop failStop;
  private final BrokerDisk disk;
  private final DeadLetters letters;
  private final Redrive redrive;
  private final AuditRecords records;
  private final Runnable probe;
  private final StateReport state;
  private final HistoryReport history;
  private final Optional<ClusterNode> cluster;
  private final Optional<ClusterTopics> topics;
  private final boolean amnesia;
  private final UndeliverableSorter sorter;
  private final Sorting sorting;
  private final ClockWatch clockWatch;
  private final Purge regrouping = new Purge(System::nanoTime, REGROUPING_TIME);
  private final Map<Part, Vital> vitals = new ConcurrentHashMap<>(new EnumMap<>(Part.class));
  private final Tasks tasks = new Tasks("upkeep");
  private long turns;
  private boolean lettersDiffer;
  private boolean broken;

  Maintenance(
      Mailbox mailbox,
      ArtemisBroker broker,
      FailStop failStop,
      BrokerDisk disk,
      DeadLetters letters,
      Redrive redrive,
      AuditRecords records,
      Runnable probe,
      StateReport state,
      HistoryReport history,
      Optional<ClusterNode> cluster,
      Optional<ClusterTopics> topics,
      InstantSource clock,
      MailboxSettings settings) {
    this.mailbox = mailbox;
    this.broker = broker;
    this.failStop = failStop;
    this.disk = disk;
    this.letters = letters;
    this.redrive = redrive;
    this.records = records;
    this.probe = probe;
    this.state = state;
    this.history = history;
    this.cluster = cluster;
    this.topics = topics;
    this.amnesia = settings.amnesia().on();
    this.clockWatch = new ClockWatch(broker::ahead, broker::releaseDelayed);
    this.sorter =
        broker.undeliverableSorter(
            mailbox.directory()::requireUnsorted,
            new UndeliverableSorter.Lives(
                mailbox::sessionSince,
                topic -> mailbox.directory().retention(topic).ready(),
                clock.instant()));
    this.sorting =
        new Sorting(
            sorter::step,
            this::note,
            System::nanoTime,
            LockSupport::parkNanos,
            () -> vital(Part.DATABASE).up());
  }

  /** Does one turn now, then one every second. */
  SupervisedThread start(Supervision supervision, ThreadFactory factory) {
    turn();
    return supervision.start("mailbox-upkeep", tasks, factory, new Turns(this::next));
  }

  private long next() {
    if (broken) {
      // The previous thread died in the middle of a turn.
      close();
    }
    broken = true;
    turn();
    broken = false;
    return EVERY.toNanos();
  }

  /** Closes the sorter's connection. Call only when no thread is in a turn. */
  void close() {
    sorter.close();
  }

  /** Counts of its threads and of failed turns. */
  MetricSource tasks() {
    return tasks;
  }

  /** The last known state of one part. */
  Vital vital(Part part) {
    return switch (part) {
      case JOURNAL -> failStop.vital();
      case DISK -> disk(mailbox.limits().disk().shortage());
      case INTAKE ->
          mailbox.isDraining() ? Vital.down(part, "the service is stopping") : Vital.up(part);
      case CLUSTER -> cluster.map(ClusterNode::vital).orElse(Vital.up(part));
      case WORKERS ->
          mailbox.isHealthy()
              ? Vital.up(part)
              : Vital.down(part, "a shard worker has no broker session, or waits for the broker");
      case BROKER ->
          broker.isSilent() ? Vital.down(part, "the broker does not answer") : seen(part);
      case PROJECTION -> projection(mailbox.projectionTrouble());
      case STORES -> new Vital(part, true, mailbox.storeMismatch());
      case THREADS, BROKER_SETTINGS, DATABASE, CAPABILITIES -> seen(part);
    };
  }

  /** Whether this process does what one node does for all. */
  private boolean leads() {
    return cluster.map(ClusterNode::leads).orElse(true);
  }

  private Vital seen(Part part) {
    return vitals.getOrDefault(part, Vital.down(part, "not looked at yet"));
  }

  private static Vital projection(String trouble) {
    return trouble.isEmpty() ? Vital.up(Part.PROJECTION) : Vital.down(Part.PROJECTION, trouble);
  }

  private static Vital disk(String shortage) {
    return shortage.isEmpty() ? Vital.up(Part.DISK) : Vital.down(Part.DISK, shortage);
  }

  private void turn() {
    lookAtState();
    note(vital(Part.DISK));
    watch(Part.DATABASE, this::tidyDatabase);
    watch(Part.BROKER, this::tidyBroker);
    if (turns % RECONCILE == 0 && vital(Part.DATABASE).up() && cluster.isEmpty()) {
      watch(Part.DATABASE, redrive::applyPolicies);
    }
    if (turns % RARELY == 0 || !vital(Part.BROKER_SETTINGS).up()) {
      checkSettings();
    }
    turns++;
  }

  /** First in a turn, because the others may wait for what is away. */
  private void lookAtState() {
    state.observe();
    look("The history could not read the counters", history::look);
    if (turns % CONDITIONS == 0) {
      look("The conditions could not be evaluated", state::look);
    }
  }

  /** A look that fails must not end the turn. */
  private void look(String failure, Runnable look) {
    try {
      look.run();
    } catch (RuntimeException e) {
      tasks.aborted();
      LOG.log(Level.ERROR, failure, e);
    }
  }

  private void tidyDatabase() {
    probe.run();
    purge();
    letters.flush();
    if (leads()) {
      long unused = regrouping.run(letters::regroup);
      topics.ifPresent(ClusterTopics::finishDeletions);
      mailbox.trimLedgers();
    } else {
      mailbox.measureLedgers();
    }
    boolean unusedToo = history.write();
    history.purge();
    if (turns % RARELY == 0 && leads()) {
      redrive.tidy();
      records.step();
    }
  }

  private void purge() {
    if (turns % RARELY == 0) {
      mailbox.limits().keysCounted(mailbox.registry().countKeys());
    }
    mailbox.purgeKeys();
  }

  private void tidyBroker() {
    clockWatch.look();
    disk.isFull(broker.isDiskFull());
    if (leads()) {
      sorting.turn();
    }
    mailbox.queues().undeliverable(broker.undeliverable());
    mailbox.queues().step();
    tidyLetters();
    if (amnesia) {
      mailbox.limits().stored(broker.memory());
    }
  }

  private void note(Sorted sorted) {
    QueueWatch queues = mailbox.queues();
    sorted
        .dead()
        .forEach(
            (dead, count) -> queues.brokerMoved(dead.shard(), dead.topic(), dead.reason(), count));
    sorted.shards().forEach(queues::changed);
    queues.lettersExpired(sorted.ended());
  }

  private void tidyLetters() {
    if ((turns % RECONCILE == 0 || lettersDiffer) && vital(Part.DATABASE).up() && leads()) {
      lettersDiffer = reconcile();
    }
    if (turns % RECONCILE == 0 && cluster.isPresent()) {
      broker.refreshLetters();
    }
    // The other nodes have listed the queues again since a queue looked empty for the first time.
    if (turns % RARELY == 0 && leads()) {
      broker.removeEmptyLetters();
    }
  }

  /** A failure here does not mark any part as down; the parts' own checks do that. */
  private boolean reconcile() {
    try {
      return letters.reconcile();
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "The index of dead letters could not be compared with the queues", e);
      return false;
    }
  }

  private void checkSettings() {
    try {
      List<String> violations = broker.violations();
      broker.standby().look();
      note(
          violations.isEmpty()
              ? Vital.up(Part.BROKER_SETTINGS)
              : Vital.down(Part.BROKER_SETTINGS, String.join("; ", violations)));
    } catch (UnavailableException e) {
      broker.standby().forget();
      note(Vital.down(Part.BROKER_SETTINGS, "the broker is away"));
    }
  }

  private void watch(Part part, Runnable look) {
    try {
      look.run();
      note(Vital.up(part));
    } catch (UnavailableException e) {
      note(Vital.down(part, String.valueOf(e.getMessage())));
    } catch (RuntimeException e) {
      tasks.aborted();
      LOG.log(Level.ERROR, "Maintenance of " + part + " failed", e);
      note(Vital.down(part, "maintenance failed; see the log"));
    }
  }

  /** Stores a state, and logs it when it changes. */
  private void note(Vital vital) {
    Part part = vital.part();
    Vital before = vitals.put(part, vital);
    if (before == null ? vital.up() : before.up() == vital.up()) {
      return;
    }
    if (vital.up()) {
      LOG.log(Level.INFO, "{0} is up again", part.text());
    } else {
      LOG.log(Level.ERROR, "{0} is down: {1}. {2}", part.text(), vital.detail(), stops(part));
    }
  }

  private static String stops(Part part) {
    return switch (part) {
      case DATABASE ->
          "New SENDs go on until a log is full. Repeated SENDs, new topics, unknown capabilities and"
              + " operators' calls get 503 until it is up";
      case DISK -> "SENDs get 503 until it is up";
      default -> "Calls get 503 until it is up";
    };
  }
}
