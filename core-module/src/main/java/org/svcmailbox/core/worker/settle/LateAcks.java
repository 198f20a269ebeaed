package org.svcmailbox.core.worker.settle;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.delivery.Receipt;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.time.DeadlineQueue;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.dispatch.Prefetcher;
import org.svcmailbox.core.worker.dispatch.Receipts;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.StepPart;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * ACKs of messages whose lease has ended. They count if no other consumer has taken the message.
 */
public final class LateAcks implements StepPart {
  /** An ACK that waits for its message to return. */
  private record Deferred(Settle settle, ShardState shard, long giveUp) {}

  private static final int MAX_DEFERRED = 1_000;
  private static final long LOOK_AGAIN = Duration.ofMillis(5).toNanos();
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /**
   * How long after the start of a session expired messages of the one before may still be unsorted.
   */
  private static final Duration SORTING = Duration.ofMinutes(1);

  /**
   * How long the broker's count of unsorted messages is reused, because each count costs a round
   * trip.
   */
  private static final long BELIEVE_COUNT = Duration.ofMillis(100).toNanos();

  private static final Refusal RETURNING =
      Refusal.unavailable("returning", "the message is on its way back; repeat", PATIENCE);

  private final WorkerContext context;
  private final Prefetcher prefetcher;
  private final Receipts receipts;
  private final DeadlineQueue<Deferred> deferred = new DeadlineQueue<>();
  private @Nullable Long countedAt;
  private boolean hasUnsorted;

  public LateAcks(WorkerContext context, Prefetcher prefetcher, Receipts receipts) {
    this.context = context;
    this.prefetcher = prefetcher;
    this.receipts = receipts;
  }

  /**
   * Acknowledges a message whose lease expired; waits briefly if the message is still returning.
   */
  void settle(Settle settle, ShardState shard) {
    SettleOutcome outcome = acknowledgeReturned(settle, shard);
    if (outcome != null) {
      answer(settle, outcome);
    } else if (mayBeSorted()) {
      refuse(settle);
    } else if (!shard.isReturning(settle.request().msgId())) {
      answer(settle, new Stale(Why.EXPIRED));
    } else if (deferred.size() >= MAX_DEFERRED) {
      context.workerMetrics().lateAckDropped();
      refuse(settle);
    } else {
      long now = context.now();
      deferred.add(now + LOOK_AGAIN, new Deferred(settle, shard, now + PATIENCE.toNanos()));
    }
  }

  /** Looks again for messages that were returning; returns how many ACKs this answered. */
  public int retry(long now) {
    int settled = 0;
    Deferred due;
    while ((due = deferred.pollDue(now)) != null) {
      SettleOutcome outcome = acknowledgeReturned(due.settle(), due.shard());
      if (outcome != null) {
        answer(due.settle(), outcome);
        settled++;
      } else if (now - due.giveUp() >= 0) {
        refuse(due.settle());
      } else {
        deferred.add(now + LOOK_AGAIN, due);
      }
    }
    return settled;
  }

  public long untilFirst(long now, long idle) {
    return deferred.untilFirst(now, idle);
  }

  @Override
  public void onSessionLost() {
    Deferred waiting;
    while ((waiting = deferred.peek()) != null) {
      deferred.removeFirst();
      refuse(waiting.settle());
    }
  }

  /** Refuses ACKs of messages of some routing slots, which are another process's from now on. */
  public void giveAway(IntPredicate slots) {
    List<Deferred> kept = new ArrayList<>();
    Deferred waiting;
    while ((waiting = deferred.peek()) != null) {
      deferred.removeFirst();
      Settle settle = waiting.settle();
      if (slots.test(settle.request().msgId().slot())) {
        context.replies().replyNow(() -> settle.refuse(Refusals.notHere()));
      } else {
        kept.add(waiting);
      }
    }
    kept.forEach(one -> deferred.add(context.now() + LOOK_AGAIN, one));
  }

  /** Null while the message may still be returning. */
  private @Nullable SettleOutcome acknowledgeReturned(Settle settle, ShardState shard) {
    if (!context.has(shard)) {
      // Its queue may be gone.
      return new Stale(Why.EXPIRED);
    }
    if (context.leases().find(settle.request().msgId()) != null) {
      return new Stale(Why.SUPERSEDED);
    }
    return acknowledgeIn(shard, settle) ? SettleOutcome.DONE : null;
  }

  /**
   * Handles a receipt from before a restart. The message is back at the head of its queue unless
   * another client took it. Receipts can be forged, so only shards that the caller may settle are
   * searched. Empty if the message is unknown.
   */
  Optional<SettleOutcome> settleFromEarlierLife(Settle settle) {
    Receipt receipt = settle.request().receipt();
    MsgId msgId = settle.request().msgId();
    if (!(settle.request() instanceof Ack)
        || receipt == null
        || !receipts.isOfEarlierLife(receipt, msgId)) {
      return Optional.empty();
    }
    List<ShardId> possible =
        context.ports().topics().shardsInSlot(msgId.slot()).stream().filter(context::owns).toList();
    List<ShardId> permitted = possible.stream().filter(shard -> maySettle(settle, shard)).toList();
    if (permitted.isEmpty()) {
      return possible.stream().findFirst().flatMap(shard -> settle.denial(shard.topic(), null));
    }
    boolean found =
        permitted.stream().anyMatch(shard -> acknowledgeIn(context.shard(shard), settle));
    return found ? Optional.of(SettleOutcome.DONE) : whileSorted();
  }

  /** The refusal while the message may be an expired one that gets a new life. */
  private Optional<SettleOutcome> whileSorted() {
    return mayBeSorted() ? Optional.of(RETURNING) : Optional.empty();
  }

  private boolean mayBeSorted() {
    Instant now = context.ports().wall().instant();
    boolean isYoung = context.sessionSince().plus(SORTING).isAfter(now);
    return isYoung && hasUnsorted();
  }

  private boolean hasUnsorted() {
    long now = context.now();
    if (countedAt == null || now - countedAt >= BELIEVE_COUNT) {
      hasUnsorted = context.session().hasUndeliverable();
      countedAt = now;
    }
    return hasUnsorted;
  }

  /** Does not count a denial. */
  private static boolean maySettle(Settle settle, ShardId shard) {
    return settle.caller().maySettle(settle.request().operation(), shard.topic(), null);
  }

  private boolean acknowledgeIn(ShardState shard, Settle settle) {
    Delivery back = prefetcher.find(shard, settle.request().msgId());
    if (back == null) {
      return false;
    }
    shard.prefetched().remove(back);
    context.acknowledge(shard, back);
    context.settled().acknowledged(settle.request(), shard);
    return true;
  }

  private void answer(Settle settle, SettleOutcome outcome) {
    context.replies().settle(settle.reply(), outcome);
  }

  private void refuse(Settle settle) {
    context.replies().replyNow(() -> settle.refuse(RETURNING));
  }
}
