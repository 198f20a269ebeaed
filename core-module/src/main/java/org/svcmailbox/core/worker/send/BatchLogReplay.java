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
import org.svcmailbox.core.batch.BatchId;
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
import org.svcmailbox.core.broker.SessionLog;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.TopicRecovery;

/**
 * Applies the logs of all past and present workers to the database. Until then the taken keys are
 * unknown, so no worker may start.
 */
public final class BatchLogReplay {
  private static final Logger LOG = System.getLogger(BatchLogReplay.class.getName());

  /**
   * How long a start waits for logs to become whole, all workers together. A restarted broker has
   * no open transaction; a remote one ends those of a dead process when its connection times out.
   */
  private static final Duration WHOLE_WITHIN = Duration.ofSeconds(90);

  /** The minimum for each worker, however long the logs before took. */
  private static final Duration ARRIVAL = Duration.ofSeconds(1);

  /** How often a log that is not whole is checked for damage. */
  private static final Duration LOOK_EVERY = Duration.ofMillis(100);

  private final StoreAcceptance acceptance;
  private final SendRegistry registry;
  private final BatchLogPorts logs;
  private final Broker broker;
  private final Ticker ticker;

  /** The workers whose logs this process opens: its own, and those that hand over leases. */
  private final Set<WorkerId> opening = new TreeSet<>();

  /** The workers that no longer exist. */
  private final Set<WorkerId> gone = new TreeSet<>();

  public BatchLogReplay(
      MailboxSettings settings, BatchLogPorts logs, Broker broker, Ticker ticker) {
    this.acceptance = new StoreAcceptance(settings.accept());
    this.registry = logs.registry();
    this.logs = logs;
    this.broker = broker;
    this.ticker = ticker;
  }

  /**
   * Replays every log.
   *
   * @param topics writes what the table of topics lacks once nothing is refused
   * @throws StoresRefusedException if the stores are not from the same moment; no message was
   *     changed
   */
  public void run(TopicRecovery topics) {
    long until = ticker.nanos() + WHOLE_WITHIN.toNanos();
    List<WorkerId> made = registry.workers();
    Set<WorkerId> ever = workersEver(made);
    Set<WorkerId> first = new TreeSet<>(ever);
    first.removeAll(made);
    ever.forEach(
        worker -> (worker.number() < logs.here().among().count() ? opening : gone).add(worker));
    first.forEach(this::makeLog);
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
    if (!first.isEmpty()) {
      registry.logsMade(first);
    }
    standings.stream()
        .filter(StoreStanding::isMissing)
        .forEach(one -> broker.makeLog(one.worker(), one.last()));
    // Before anything else can refuse: with the old log, the next start would need another code.
    standings.stream().filter(StoreStanding::isDamaged).forEach(this::renew);
    registry.begin(mending);
  }

  /**
   * Begins without a log, because other processes may have them. The process takes each group over
   * later.
   */
  public void join() {
    registry.begin(new StoreMending(registry, acceptance, List.of()));
  }

  /**
   * Opens the workers' logs, and takes the leases that their last lives handed over. A later start
   * does not get them, so this must be the last step of a start that can fail.
   *
   * <p>A worker that finds its log as this process left it needs nothing more than its outcome.
   *
   * @return the bodies as those lives wrote them
   */
  public List<ByteBuffer> takeLeases() {
    List<ByteBuffer> leases = new ArrayList<>();
    // All logs or none, so that a failure ends no leases.
    try (BrokerSession session = broker.open()) {
      opening.forEach(worker -> leases.addAll(open(worker, session)));
      session.commit();
    }
    gone.forEach(this::shrink);
    return leases;
  }

  /** A start that ended early may have left the log, or its queue without entries. */
  private void makeLog(WorkerId worker) {
    if (!broker.hasLog(worker)) {
      broker.makeLog(worker, BatchId.NONE);
    }
  }

  private StoreStanding standing(WorkerId worker, long until) {
    if (!broker.hasLog(worker)) {
      return StoreStanding.ofMissing(worker, registry);
    }
    try (BrokerSession session = broker.open()) {
      SessionLog held = session.log(worker);
      Duration left = Duration.ofNanos(Math.max(ARRIVAL.toNanos(), until - ticker.nanos()));
      BatchLog log = arrived(held, left);
      if (log.isWhole()) {
        if (!log.handedOver().isEmpty()) {
          opening.add(worker);
        }
        return StoreStanding.of(worker, log, registry);
      }
      List<DamagedEntry> damaged = held.damaged();
      if (damaged.isEmpty()) {
        throw notWhole(worker);
      }
      return StoreStanding.ofDamaged(worker, log, damaged, registry);
    }
  }

  /** Reads a log until it is whole, or until waiting brings no more. */
  private BatchLog arrived(SessionLog held, Duration atMost) {
    BatchLog log = logs.log();
    for (Duration left = atMost; !left.isNegative(); left = left.minus(LOOK_EVERY)) {
      Duration slice = left.compareTo(LOOK_EVERY) < 0 ? left : LOOK_EVERY;
      log.receive(held::receive, ticker::nanos, slice);
      if (log.isWhole() || log.isWholeBut(held.damaged().size())) {
        break;
      }
    }
    return log;
  }

  /** The log of a worker whose standing is known. */
  private BatchLog whole(WorkerId worker, SessionLog held) {
    BatchLog log = arrived(held, WHOLE_WITHIN);
    if (!log.isWhole()) {
      throw notWhole(worker);
    }
    return log;
  }

  private static UnavailableException notWhole(WorkerId worker) {
    return new UnavailableException(
        "the broker has not ended an earlier transaction of worker " + worker);
  }

  /** Stages this process's first entry, which ends a handover. */
  private List<ByteBuffer> open(WorkerId worker, BrokerSession session) {
    SessionLog held = session.log(worker);
    BatchLog log = whole(worker, held);
    List<ByteBuffer> leases = log.handedOver();
    held.stage(log.open(log.lastBatch()));
    return leases;
  }

  /** Replaces a damaged log. The database already knows that it cannot follow the old one. */
  private void renew(StoreStanding standing) {
    try (BrokerSession session = broker.open()) {
      SessionLog held = session.log(standing.worker());
      BatchLog log = arrived(held, WHOLE_WITHIN);
      held.acknowledgeDamaged();
      held.stage(log.renew(standing.last()));
      session.commit();
    }
  }

  /**
   * Empties the log of a removed worker; the database has all of its batches. A failure does not
   * end the start, because the next one repeats it.
   */
  private void shrink(WorkerId worker) {
    try (BrokerSession session = broker.open()) {
      SessionLog held = session.log(worker);
      BatchLog log = whole(worker, held);
      if (!log.isShort()) {
        held.stage(log.shrink());
        session.commit();
      }
    } catch (UnavailableException e) {
      LOG.log(Level.WARNING, "The log of the removed worker {0} was not shortened: {1}", worker, e);
    }
  }

  /** The current workers, and all that have a log in the broker or had one. */
  private Set<WorkerId> workersEver(List<WorkerId> made) {
    Set<WorkerId> ever = new TreeSet<>(made);
    IntStream.range(0, logs.here().among().count()).mapToObj(WorkerId::of).forEach(ever::add);
    ever.addAll(broker.loggedWorkers());
    return ever;
  }
}
