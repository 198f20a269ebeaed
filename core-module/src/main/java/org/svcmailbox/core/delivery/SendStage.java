package org.svcmailbox.core.delivery;

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
import org.svcmailbox.core.delivery.BatchStanding.Verdict;
import org.svcmailbox.core.delivery.Command.Send;
import org.svcmailbox.core.delivery.SendLog.Batch;
import org.svcmailbox.core.delivery.SendLog.KeyTakenException;
import org.svcmailbox.core.delivery.SendLog.Taken;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.ledger.LedgerHead;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.ShardId;

/**
 * Reserve, then enqueue: a batch's rows are on disk before its messages are staged, and the broker
 * transaction that carries the messages carries an entry of the worker's log with the batch's
 * number. So a batch that stopped between the two commits is known exactly: its number is in the
 * database and not in the log; its rows are withdrawn before the next batch is begun. While the log
 * is not whole, nobody knows, and SENDs are refused. Part of one worker.
 */
final class SendStage {
  private static final Logger LOG = System.getLogger(SendStage.class.getName());
  private static final Duration DATABASE_RETRY = Duration.ofSeconds(1);

  /**
   * Longest wait of a step for entries of the log. Steps after it only look. The worker's RECVs and
   * ACKs wait with it.
   */
  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** How often a log is looked at that is not whole. */
  private static final long LOOK_EVERY = Duration.ofMillis(20).toNanos();

  /** Another worker can take a key in between only so often. */
  private static final int MAX_PLANS = 4;

  private final WorkerContext context;
  private final DatabaseOutage outage;
  private final BatchDoubt doubt;
  private BatchLog log = new BatchLog();
  private boolean looked;
  private boolean settled;
  private boolean oldestIsLate;
  private final long stamp;
  private boolean holdsLetters;
  private BatchId confirmed = BatchId.NONE;
  private BatchId staged = BatchId.NONE;
  private long batchNo;
  private boolean inDoubt;
  private long resolveAt;

  SendStage(WorkerContext context) {
    this.context = context;
    this.outage = new DatabaseOutage(context.worker(), context::now);
    this.doubt = new BatchDoubt(context.ports().log(), context.limits().mismatch());
    this.stamp = context.ports().random().nextLong();
    this.resolveAt = context.now();
  }

  /** The broker session is new. */
  void opened() {
    log = new BatchLog();
    looked = false;
    settled = false;
    oldestIsLate = false;
    inDoubt = true;
  }

  /** The step's broker transaction is on disk. */
  void committed() {
    if (settled && !staged.equals(confirmed)) {
      confirmed = staged;
      context.ports().log().confirm(context.worker(), confirmed.number());
    }
    if (holdsLetters) {
      holdsLetters = false;
      context.session().returnLetters();
    }
  }

  /** Does all SENDs of a step; their answers wait for the step's commit. */
  void stage(List<Send> all) {
    if (!settles()) {
      refuse(all, "settling");
      return;
    }
    List<Send> sends = withTheirLetters(withTheirQueues(all));
    if (sends.isEmpty()) {
      settleIdle();
      return;
    }
    if (!hasOldest()) {
      refuse(sends, "settling");
      return;
    }
    SendPlan plan;
    try {
      resolveDoubt();
      plan = reserve(sends);
    } catch (StoreMismatchException e) {
      refuse(sends, "store_mismatch");
      return;
    } catch (UnavailableException e) {
      outage.refused(sends.size(), String.valueOf(e.getMessage()));
      refuse(sends, "database_away");
      return;
    }
    outage.served();
    if (plan == null) {
      refuse(sends, "key_contention");
      return;
    }
    enqueue(plan);
    for (int i = 0; i < sends.size(); i++) {
      context.replies().send(sends.get(i).reply(), plan.outcomes().get(i));
    }
  }

  /** Whether the outcome of every earlier session's transactions is known. */
  boolean isSettled() {
    return settled;
  }

  /** How long the worker may sleep, for {@code atMost} nanoseconds. */
  long untilNextLook(long atMost) {
    return settled ? atMost : Math.min(atMost, LOOK_EVERY);
  }

  /** Looks whether the outcomes of earlier sessions are known by now. */
  private boolean settles() {
    if (settled) {
      return true;
    }
    receive(looked ? Duration.ZERO : PATIENCE);
    settled = log.isWhole();
    if (settled) {
      confirmed = log.lastBatch();
      staged = confirmed;
    }
    tell();
    looked = true;
    return settled;
  }

  private void receive(Duration atMost) {
    log.receive(context.session()::receiveLog, context.ports().ticker(), atMost);
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

  private void tell() {
    if (settled && looked) {
      LOG.log(
          Level.INFO, "Worker {0} takes SENDs again: the earlier one has ended", context.worker());
      // The batch in doubt may have changed the queues since the session was opened.
      context.recount();
    }
    if (!settled && !looked) {
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

  /** Those whose dead letter is at hand, which is taken; most have none. */
  private List<Send> withTheirLetters(List<Send> sends) {
    if (sends.stream().allMatch(send -> send.origin() == null)) {
      return sends;
    }
    holdsLetters = true;
    List<Send> ready = new ArrayList<>();
    for (Send send : sends) {
      Origin origin = send.origin();
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

  /** Other workers may wait for the keys of a batch that this one left in doubt. */
  private void settleIdle() {
    if (!inDoubt || context.now() - resolveAt < 0) {
      return;
    }
    resolveAt = context.now() + DATABASE_RETRY.toNanos();
    try {
      resolveDoubt();
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "Still in doubt, the database is away: {0}", e.getMessage());
    }
  }

  private @Nullable SendPlan reserve(List<Send> sends) {
    for (int i = 0; i < MAX_PLANS; i++) {
      SendPlan plan = plan(sends);
      if (plan.accepted().isEmpty() || reserved(plan)) {
        return plan;
      }
    }
    return null;
  }

  private SendPlan plan(List<Send> sends) {
    Instant now = context.ports().wall().instant();
    List<IdempotencyKey> keys = sends.stream().map(Send::key).distinct().toList();
    Map<IdempotencyKey, Taken> taken = context.ports().log().find(keys);
    Limits limits = context.limits();
    return SendPlan.of(sends, now, taken, limits, this::head);
  }

  private boolean reserved(SendPlan plan) {
    // Until the reserve has returned, whether it happened is unknown.
    inDoubt = true;
    batchNo++;
    try {
      context.ports().log().reserve(batch(plan));
      inDoubt = false;
    } catch (KeyTakenException e) {
      inDoubt = false;
      batchNo--;
      return false;
    }
    context.limits().keys().add(plan.newKeys());
    plan.heads().forEach((shard, head) -> context.shard(shard).head(head));
    return true;
  }

  private Batch batch(SendPlan plan) {
    return new Batch(
        context.worker(), batch(), plan.accepted().stream().map(SendPlan.Accepted::row).toList());
  }

  private BatchId batch() {
    return new BatchId(batchNo, stamp);
  }

  private void enqueue(SendPlan plan) {
    if (plan.accepted().isEmpty()) {
      return;
    }
    Instant now = context.ports().wall().instant();
    for (SendPlan.Accepted accepted : plan.accepted()) {
      Send send = accepted.send();
      Envelope envelope = send.envelope().withSeq(accepted.row().entry().seq());
      Instant readyAt = now.plus(send.delay());
      long bytes =
          context
              .session()
              .enqueue(
                  send.shard(),
                  message(send, envelope, readyAt),
                  send.delay().isZero() ? null : readyAt);
      Origin origin = send.origin();
      if (origin != null) {
        context.session().acknowledgeLetter(origin.letter());
      }
      ShardState shard = context.shard(send.shard());
      shard.mayHaveMessages();
      context.counts().sent(shard, bytes);
    }
    log.append(batch()).stage(context.session());
    staged = batch();
  }

  private static StoredMessage message(Send send, Envelope envelope, Instant readyAt) {
    Origin origin = send.origin();
    MessageHistory history = origin == null ? MessageHistory.NONE : origin.history();
    Duration ttl = send.ttl();
    Instant expiresAt = StoredMessage.expiry(readyAt, ttl, send.topic().settings().retention());
    return new StoredMessage(envelope, send.payload(), null, expiresAt, ttl, history, send.trace());
  }

  /** Withdraws what was reserved and never enqueued, before anything is built on top of it. */
  private void resolveDoubt() {
    if (!inDoubt) {
      return;
    }
    // Numbers go up even after a withdrawal, so that an entry of the log is never ambiguous.
    batchNo = Math.max(batchNo, doubt.settle(context.worker(), confirmed));
    context.shards().forEach(shard -> shard.head(null));
    inDoubt = false;
  }

  /** Where the shard's numbers go on: behind the ledger, and behind whatever the broker showed. */
  private LedgerHead head(Send send) {
    ShardState shard = context.shard(send.shard());
    LedgerHead known = shard.head();
    LedgerHead head =
        known != null
            ? known
            : context.ports().log().ledgerHead(send.topic().id(), send.shard().index());
    return head.seq() < shard.highestSeq() ? ahead(shard, head) : head;
  }

  private LedgerHead ahead(ShardState shard, LedgerHead head) {
    context
        .limits()
        .mismatch()
        .found(
            Verdict.DATABASE_OLDER,
            "the database is older than the broker; shard %s has message %d, its ledger ends at %d"
                .formatted(shard.id(), shard.highestSeq(), head.seq()));
    return new LedgerHead(shard.highestSeq(), head.link());
  }

  private void refuse(List<Send> sends, String reason) {
    Refusal refusal =
        Refusal.unavailable(reason, "the message was not taken; repeat the SEND", DATABASE_RETRY);
    sends.forEach(send -> context.replies().replyNow(() -> send.refuse(refusal)));
  }
}
