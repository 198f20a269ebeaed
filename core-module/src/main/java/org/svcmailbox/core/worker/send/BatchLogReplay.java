package org.svcmailbox.core.worker.send;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.svcmailbox.core.batch.BatchLog;
import org.svcmailbox.core.batch.DamagedEntry;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.StoreAcceptance;
import org.svcmailbox.core.batch.StoreMending;
import org.svcmailbox.core.batch.StoreStanding;
import org.svcmailbox.core.batch.StoresRefusedException;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.broker.Broker;
import org.svcmailbox.core.broker.BrokerSession;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.TopicRecovery;

/**
 * Applies the logs of all past and present workers to the database. Until then it is unknown which
 * keys are taken, so no worker may begin.
 */
public final class BatchLogReplay {
  private static final Logger LOG = System.getLogger(BatchLogReplay.class.getName());

  /**
   * How long a start waits for logs that are not whole, all workers together. A restarted broker
   * has no open transaction; a remote one ends those of a dead process when its connection times
   * out.
   */
  private static final Duration WHOLE_WITHIN = Duration.ofSeconds(90);

  /** The least of it for each worker: what an earlier one took says nothing of the next log. */
  private static final Duration ARRIVAL = Duration.ofSeconds(1);

  /** How often a log that is not whole is looked at for damage. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final int workers;
  private final StoreAcceptance acceptance;
  private final SendRegistry registry;
  private final BatchLogPorts logs;
  private final Broker broker;
  private final Ticker ticker;

  /** The workers whose logs hand leases over. */
  private final Set<WorkerId> handing = new TreeSet<>();

  /** The workers that no longer exist. */
  private final Set<WorkerId> gone = new TreeSet<>();

  public BatchLogReplay(
      MailboxSettings settings, BatchLogPorts logs, Broker broker, Ticker ticker) {
    this.workers = settings.workers();
    this.acceptance = new StoreAcceptance(settings.accept());
    this.registry = logs.registry();
    this.logs = logs;
    this.broker = broker;
    this.ticker = ticker;
  }

  /**
   * Replays every log.
   *
   * @param topics what the table of topics lacks is written once nothing is refused
   * @throws StoresRefusedException if the stores are not from the same moment; no message was
   *     changed
   */
  public void run(TopicRecovery topics) {
    long until = ticker.nanos() + WHOLE_WITHIN.toNanos();
    Set<WorkerId> ever = workersEver();
    ever.stream().filter(worker -> worker.number() >= workers).forEach(gone::add);
    List<StoreStanding> found = ever.stream().map(worker -> standing(worker, until)).toList();
    List<StoreStanding> standings =
        found.stream().map(one -> one.lacking(topics.lost(one.lostTopics()))).toList();
    acceptance.require(standings);
    StoreMending mending = new StoreMending(registry, acceptance, standings);
    mending.mendHeads();
    Set<Integer> unknown =
        found.stream().flatMap(one -> one.lostTopics().stream()).collect(Collectors.toSet());
    found.forEach(one -> topics.named(one.topics()));
    topics.run(unknown, standings.stream().noneMatch(StoreStanding::isBrokerDoubtful));
    mending.adopt();
    // Before another refusal: with this log as it was, the next start would need another code.
    standings.stream().filter(StoreStanding::isDamaged).forEach(this::renew);
    registry.begin(mending);
  }

  /**
   * Takes the leases that the last lives of the workers handed over. A later start does not get
   * them, so this is the last that can fail of a start.
   *
   * @return as they wrote them
   */
  public List<ByteBuffer> takeLeases() {
    List<Opening> all = new ArrayList<>();
    try {
      // All logs are read before one is changed: a failure then ends no leases.
      handing.forEach(worker -> all.add(opening(worker)));
      all.forEach(one -> one.session().commit());
    } finally {
      all.forEach(one -> one.session().close());
    }
    gone.forEach(this::shrink);
    return all.stream().flatMap(one -> one.leases().stream()).toList();
  }

  private StoreStanding standing(WorkerId worker, long until) {
    try (BrokerSession session = broker.open(worker)) {
      Duration left = Duration.ofNanos(Math.max(ARRIVAL.toNanos(), until - ticker.nanos()));
      BatchLog log = arrived(session, left);
      if (log.isWhole()) {
        if (!log.handedOver().isEmpty()) {
          handing.add(worker);
        }
        return StoreStanding.of(worker, log, registry);
      }
      List<DamagedEntry> damaged = session.damagedLog();
      if (damaged.isEmpty()) {
        throw notWhole(worker);
      }
      return StoreStanding.ofDamaged(worker, log, damaged, registry);
    }
  }

  /** A log that is whole, or as far as it has come when waiting brings no more. */
  private BatchLog arrived(BrokerSession session, Duration atMost) {
    BatchLog log = logs.log();
    for (Duration left = atMost; !left.isNegative(); left = left.minus(LOOK_EVERY)) {
      Duration slice = left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY;
      log.receive(session::receiveLog, ticker::nanos, slice);
      if (log.isWhole() || log.isWholeBut(session.damagedLog().size())) {
        break;
      }
    }
    return log;
  }

  /** The log of a worker whose standing is known. */
  private BatchLog whole(WorkerId worker, BrokerSession session) {
    BatchLog log = arrived(session, WHOLE_WITHIN);
    if (!log.isWhole()) {
      throw notWhole(worker);
    }
    return log;
  }

  private static UnavailableException notWhole(WorkerId worker) {
    return new UnavailableException(
        "the broker has not ended an earlier transaction of worker " + worker);
  }

  /** A session that has staged the end of what its log hands over. */
  private record Opening(BrokerSession session, List<ByteBuffer> leases) {}

  private Opening opening(WorkerId worker) {
    BrokerSession session = broker.open(worker);
    try {
      BatchLog log = whole(worker, session);
      List<ByteBuffer> leases = log.handedOver();
      session.stageLog(log.open(log.lastBatch()));
      return new Opening(session, leases);
    } catch (RuntimeException e) {
      session.close();
      throw e;
    }
  }

  /** Begins a damaged log again. The database has been told that it cannot follow the old one. */
  private void renew(StoreStanding standing) {
    try (BrokerSession session = broker.open(standing.worker())) {
      BatchLog log = arrived(session, WHOLE_WITHIN);
      session.acknowledgeDamagedLog();
      session.stageLog(log.renew(standing.last()));
      session.commit();
    }
  }

  /**
   * Empties the log of a worker that no longer exists; the database has all of it. A failure ends
   * no start: the next one does it.
   */
  private void shrink(WorkerId worker) {
    try (BrokerSession session = broker.open(worker)) {
      BatchLog log = whole(worker, session);
      if (!log.isShort()) {
        session.stageLog(log.shrink());
        session.commit();
      }
    } catch (UnavailableException e) {
      LOG.log(Level.WARNING, "The log of the removed worker {0} was not shortened: {1}", worker, e);
    }
  }

  /** The current workers, and all that have a log in the broker or batches in the database. */
  private Set<WorkerId> workersEver() {
    Set<WorkerId> ever = new TreeSet<>(registry.workers());
    IntStream.range(0, workers).mapToObj(WorkerId::of).forEach(ever::add);
    ever.addAll(broker.loggedWorkers());
    return ever;
  }
}
