package org.svcmailbox.core.worker;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.sendlog.Batch;
import org.svcmailbox.core.sendlog.BatchId;
import org.svcmailbox.core.sendlog.BatchLog;
import org.svcmailbox.core.sendlog.KeyTakenException;
import org.svcmailbox.core.sendlog.SendLog;
import org.svcmailbox.core.sendlog.StoreMismatchException;
import org.svcmailbox.core.sendlog.Taken;
import org.svcmailbox.core.topic.ShardId;

/**
 * Plans a batch in memory, takes its keys, and stages its messages together with its record in the
 * worker's log. The step's one commit decides: the broker has messages and record, or neither.
 * After a commit of unknown outcome SENDs are refused until the log is whole and tells. Part of one
 * worker.
 */
final class SendStage {
  private static final Logger LOG = System.getLogger(SendStage.class.getName());
  private static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

  /**
   * Longest wait of a step for entries of the log, or for the database to follow. Steps after it
   * only look. The worker's RECVs and ACKs wait with it.
   */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** How often a log is looked at that is not whole. */
  private static final long LOOK_EVERY = Duration.ofMillis(20).toNanos();

  /** Another worker can take a key in between only so often. */
  private static final int MAX_PLANS = 4;

  private final WorkerContext context;
  private final SendLog sendLog;
  private final BatchLog.Window window;
  private final ProjectionOutage outage;
  private final long stamp;
  private BatchLog log;
  private long openedAt;
  private boolean looked;
  private boolean isTold;
  private volatile boolean settled;
  private boolean oldestIsLate;
  private boolean holdsLetters;
  private boolean staged;

  SendStage(WorkerContext context, LogPorts logs) {
    this.context = context;
    this.sendLog = logs.sendLog();
    this.window = logs.window();
    this.outage = new ProjectionOutage(context.worker(), context::now);
    this.stamp = context.ports().random().nextLong();
    this.log = newLog();
  }

  private BatchLog newLog() {
    return new BatchLog(window);
  }

  void opened() {
    log = newLog();
    openedAt = context.now();
    looked = false;
    isTold = false;
    settled = false;
    oldestIsLate = false;
    staged = false;
  }

  void committed() {
    if (staged) {
      staged = false;
      sendLog.settle(context.worker(), log.lastBatch());
      sendLog.release(context.worker(), log.oldestBatch());
    }
    if (holdsLetters) {
      holdsLetters = false;
      context.session().returnLetters();
    }
  }

  /** Does all SENDs of a step; their answers wait for the step's commit. */
  void stage(List<Send> all) {
    if (!settles(all)) {
      return;
    }
    List<Send> sends = withTheirLetters(withTheirQueues(all));
    if (sends.isEmpty()) {
      return;
    }
    if (!hasOldest()) {
      refuse(sends, "settling");
      return;
    }
    if (!hasRoom()) {
      outage.refused(sends.size());
      refuse(sends, "log_full");
      return;
    }
    outage.served();
    SendPlan plan = reserve(sends);
    if (plan == null) {
      refuse(sends, "key_contention");
      return;
    }
    enqueue(plan);
    for (int i = 0; i < sends.size(); i++) {
      context.replies().send(sends.get(i).reply(), plan.outcomes().get(i));
    }
  }

  /** Whether the outcome of every earlier session's transactions is known. Any thread. */
  boolean isSettled() {
    return settled;
  }

  /** How long the worker may sleep, for {@code atMost} nanoseconds. */
  long untilNextLook(long atMost) {
    return settled ? atMost : Math.min(atMost, LOOK_EVERY);
  }

  /** Looks whether the outcomes of earlier sessions are known by now; refuses SENDs if not. */
  private boolean settles(List<Send> sends) {
    if (settled) {
      return true;
    }
    receive(looked ? Duration.ZERO : PATIENCE);
    if (log.isWhole()) {
      try {
        sendLog.settle(context.worker(), log.lastBatch());
        settled = true;
      } catch (StoreMismatchException e) {
        refuse(sends, "store_mismatch");
        return false;
      }
    } else {
      refuse(sends, "settling");
    }
    tell();
    looked = true;
    return settled;
  }

  private void receive(Duration atMost) {
    log.receive(context.session()::receiveLog, context.ports().ticker()::nanos, atMost);
  }

  /** Whether a batch can be appended to the log. Entries mostly arrive long before. */
  private boolean hasOldest() {
    receive(oldestIsLate ? Duration.ZERO : PATIENCE);
    boolean has = log.hasOldest();
    if (!has && !oldestIsLate) {
      LOG.log(
          Level.WARNING,
          "Worker {0} takes no SENDs: the broker has not delivered the entries of its log",
          context.worker());
    }
    oldestIsLate = !has;
    return has;
  }

  /**
   * Whether the database has what the oldest entry of the log stands for, so that it can go, and is
   * not too far behind.
   */
  private boolean hasRoom() {
    int worker = context.worker();
    if (sendLog.pendingBytes(worker) >= window.bytes()) {
      return false;
    }
    if (log.hasRoom(sendLog.applied(worker))) {
      return true;
    }
    return !outage.isFull()
        && sendLog.awaitApplied(worker, log.batchToApply(), PATIENCE)
        && log.hasRoom(sendLog.applied(worker));
  }

  /** A log that takes a moment to arrive is not worth a line. */
  private void tell() {
    if (settled && looked) {
      // The batch in doubt may have changed the queues since the session was opened.
      context.recount();
    }
    if (settled && isTold) {
      LOG.log(
          Level.INFO, "Worker {0} takes SENDs again: the earlier one has ended", context.worker());
    }
    if (!settled && !isTold && context.now() - openedAt >= REPEAT_AFTER.toNanos()) {
      isTold = true;
      LOG.log(
          Level.WARNING,
          "Worker {0} takes no SENDs: an earlier transaction has not ended in the broker",
          context.worker());
    }
  }

  /** Leaves out SENDs to shards without a queue: each would cost the session and every lease. */
  private List<Send> withTheirQueues(List<Send> sends) {
    Set<ShardId> lacking =
        sends.stream()
            .map(Send::shard)
            .distinct()
            .filter(shard -> !context.session().hasQueue(shard))
            .collect(Collectors.toUnmodifiableSet());
    if (lacking.isEmpty()) {
      return sends;
    }
    LOG.log(Level.WARNING, "Sends refused, queues are missing: {0}", lacking);
    lacking.forEach(shard -> context.limits().lackingQueues().add(shard.topic()));
    return sends.stream().filter(send -> !isRefused(send, lacking)).toList();
  }

  private boolean isRefused(Send send, Set<ShardId> lacking) {
    boolean lacks = lacking.contains(send.shard());
    if (lacks) {
      refuse(List.of(send), "queue_missing");
    }
    return lacks;
  }

  /** Takes the dead letters of SENDs that have one; refuses a SEND whose letter is gone or held. */
  private List<Send> withTheirLetters(List<Send> sends) {
    if (sends.stream().allMatch(send -> send.origin() == null)) {
      return sends;
    }
    holdsLetters = true;
    List<Send> ready = new ArrayList<>();
    for (Send send : sends) {
      SourceLetter origin = send.origin();
      if (origin == null || context.session().takeLetter(origin.letter())) {
        ready.add(send);
      } else {
        context.replies().replyNow(() -> send.refuse(letterAway()));
      }
    }
    return ready;
  }

  private static Refusal letterAway() {
    return Refusal.unavailable(
        "letter_away", "the dead letter is gone, or somebody is at it", Duration.ofSeconds(1));
  }

  private @Nullable SendPlan reserve(List<Send> sends) {
    for (int i = 0; i < MAX_PLANS; i++) {
      SendPlan plan = plan(sends);
      if (plan.accepted().isEmpty() || take(plan)) {
        return plan;
      }
    }
    return null;
  }

  private SendPlan plan(List<Send> sends) {
    Instant now = context.ports().wall().instant();
    List<IdempotencyKey> keys = sends.stream().map(Send::key).distinct().toList();
    Map<IdempotencyKey, Taken> taken = sendLog.find(keys, now);
    return SendPlan.of(sends, now, taken, context.limits(), sendLog::head);
  }

  private boolean take(SendPlan plan) {
    try {
      sendLog.take(new Batch(context.worker(), next(), plan.pages()), plan.now());
    } catch (KeyTakenException e) {
      return false;
    }
    context.limits().keys().add(plan.newKeys());
    return true;
  }

  private BatchId next() {
    return new BatchId(log.lastBatch().number() + 1, stamp);
  }

  private void enqueue(SendPlan plan) {
    if (plan.accepted().isEmpty()) {
      return;
    }
    Instant now = context.ports().wall().instant();
    for (SendPlan.Accepted accepted : plan.accepted()) {
      Send send = accepted.send();
      Instant readyAt = now.plus(send.delay());
      long bytes =
          context
              .session()
              .enqueue(
                  send.shard(),
                  send.message(accepted.row().entry().seq(), readyAt),
                  send.delay().isZero() ? null : readyAt);
      SourceLetter origin = send.origin();
      if (origin != null) {
        context.session().acknowledgeLetter(origin.letter());
      }
      ShardState shard = context.shard(send.shard());
      shard.mayHaveMessages();
      context.counts().sent(shard, bytes);
    }
    staged = true;
    context.session().stageLog(log.append(next(), plan.pages(), sendLog.applied(context.worker())));
  }

  private void refuse(List<Send> sends, String reason) {
    Refusal refusal =
        Refusal.unavailable(reason, "the message was not taken; repeat the SEND", REPEAT_AFTER);
    sends.forEach(send -> context.replies().replyNow(() -> send.refuse(refusal)));
  }
}
