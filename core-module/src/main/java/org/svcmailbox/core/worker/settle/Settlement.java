package org.svcmailbox.core.worker.settle;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.bounds.Holding;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleOutcome.Stale;
import org.svcmailbox.core.delivery.SettleOutcome.Why;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.delivery.SettleRequest.Ack;
import org.svcmailbox.core.delivery.SettleRequest.Extend;
import org.svcmailbox.core.delivery.SettleRequest.Nack;
import org.svcmailbox.core.delivery.SettleRequest.Reject;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.dispatch.LeaseDelivery;
import org.svcmailbox.core.worker.state.Lease;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.SettledMessages.Fate;
import org.svcmailbox.core.worker.state.StepPart;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Ends leases, for their holders or at their deadline. Changes are staged in the worker's broker
 * transaction, and their answers wait for the commit.
 */
public final class Settlement implements StepPart {
  private static final String TIMEOUT = "the visibility timeout ran out";
  private static final String WITHDRAWN = "an operator ended the lease";
  private static final int MAX_RETURNING = 10_000;
  private static final int MAX_EXPIRED_AT_ONCE = 1_000;

  /**
   * How far an extension may exceed the limit. A caller that asks for the remaining time asks a
   * moment later.
   */
  private static final long ON_ITS_WAY = Duration.ofSeconds(1).toNanos();

  private final WorkerContext context;
  private final LeaseDelivery delivery;
  private final EndedLeases ended;

  public Settlement(WorkerContext context, LeaseDelivery delivery, LateAcks lateAcks) {
    this.context = context;
    this.delivery = delivery;
    this.ended = new EndedLeases(context, lateAcks);
  }

  /** Applies a request if its lease is current. */
  public void settle(Settle settle) {
    SettleRequest request = settle.request();
    if (!context.serves(request.msgId().slot())) {
      context.replies().replyNow(() -> settle.refuse(Refusals.notHere()));
      return;
    }
    Lease lease = context.leases().find(request.msgId());
    if (lease == null) {
      ended.settle(settle);
      return;
    }
    Optional<Refusal> denial = settle.denial(lease.topic().name(), lease.holder().id());
    if (denial.isPresent()) {
      answer(settle, denial.get());
    } else if (request.receipt() != null && !lease.receipt().equals(request.receipt())) {
      answer(settle, new Stale(Why.SUPERSEDED));
    } else if (request instanceof Extend extend) {
      context.replies().extend(settle.reply(), extend(extend, lease));
    } else {
      answer(settle, end(settle, lease));
    }
  }

  /**
   * Ends the leases whose deadline has passed; returns how many. A lease whose message never
   * reached a client spends no attempt.
   */
  public int expire(long now) {
    int expired = 0;
    Lease lease;
    while (expired < MAX_EXPIRED_AT_ONCE && (lease = context.leases().nextExpired(now)) != null) {
      context.workerMetrics().expired(now - lease.deadline());
      if (lease.isUnread()) {
        delivery.giveBack(List.of(lease));
      } else {
        expire(lease);
      }
      expired++;
    }
    return expired;
  }

  private void expire(Lease lease) {
    fail(
        lease,
        FailurePolicy.afterExpiry(lease.attempt(), lease.topic().settings()),
        event(MessageEvent.Kind.EXPIRED, lease, lease.holder().id(), whyExpired(lease)),
        Fate.EXPIRED);
  }

  private static String whyExpired(Lease lease) {
    return lease.isWithdrawn() ? WITHDRAWN : TIMEOUT;
  }

  /** Ends some leases now, as if their deadlines had passed; returns how many. */
  public int withdraw(Predicate<Holding> which, int most) {
    long now = context.now();
    List<Lease> found =
        context.leases().all().stream()
            .filter(lease -> !lease.isWithdrawn() && which.test(lease))
            .limit(most)
            .toList();
    found.forEach(lease -> context.leases().withdraw(lease, now));
    return found.size();
  }

  /**
   * Ends the leases of some routing slots, without an attempt spent, and forgets how others ended.
   * Their messages are another process's from now on.
   */
  public void giveAway(IntPredicate slots) {
    for (Lease lease : List.copyOf(context.leases().all())) {
      if (slots.test(lease.msgId().slot())) {
        context.leases().remove(lease);
        context.limits().inflightLimits().remove(lease);
        lease.leaveWindow();
      }
    }
    context.leases().onCommit();
    context.settled().forget(slots);
  }

  /** Ends the leases of a topic that is about to be deleted. */
  public void drop(Topic topic) {
    context.leases().all().stream()
        .filter(lease -> lease.topic().name().equals(topic.name()))
        .toList()
        .forEach(lease -> context.end(lease, Fate.DEAD));
  }

  @Override
  public void onCommit() {
    context.leases().onCommit();
    context.settled().onCommit();
  }

  /** Ends all leases, which are lost with the session. */
  @Override
  public void onSessionLost() {
    context.settled().onSessionLost();
    for (Lease lease : context.leases().all()) {
      context.settled().remember(lease, Fate.EXPIRED);
    }
    context.leases().all().forEach(context.limits().inflightLimits()::remove);
    context.leases().onSessionLost();
  }

  private SettleOutcome end(Settle settle, Lease lease) {
    SettleRequest request = settle.request();
    if (request instanceof Ack) {
      context.acknowledge(lease.shard(), lease.delivery());
      context.end(lease, Fate.ACKED);
    } else if (request instanceof Nack nack) {
      nack(nack, lease, settle.caller().capability().id());
    } else if (request instanceof Reject reject) {
      reject(reject, lease, settle.caller().capability().id());
    }
    return SettleOutcome.DONE;
  }

  private SettleOutcome extend(Extend extend, Lease lease) {
    if (lease.isWithdrawn()) {
      return new Stale(Why.EXPIRED);
    }
    long now = context.now();
    long deadline = now + extend.visibility().toNanos();
    if (deadline - lease.until() > ON_ITS_WAY) {
      return new SettleOutcome.TooLong(Duration.ofNanos(Math.max(0, lease.until() - now)));
    }
    context.leases().extend(lease, deadline);
    return SettleOutcome.DONE;
  }

  private void nack(Nack nack, Lease lease, CapabilityId by) {
    String reason = Objects.requireNonNullElse(nack.reason(), MessageEvent.NO_REASON);
    FailurePolicy.Decision decision =
        FailurePolicy.afterNack(
            lease.attempt(), lease.topic().settings(), nack.delay(), context.ports().random());
    if (nack.delay() == null && decision instanceof FailurePolicy.Redeliver) {
      context.workerMetrics().backedOff();
    }
    MessageEvent refused = event(MessageEvent.Kind.NACKED, lease, by, reason);
    fail(lease, decision, refused, Fate.NACKED);
  }

  private void reject(Reject reject, Lease lease, CapabilityId by) {
    MessageEvent refused = event(MessageEvent.Kind.NACKED, lease, by, reject.reason());
    deadLetter(lease, Quarantine.after(refused, DeadLetterReason.REJECTED), Fate.REJECTED);
  }

  private MessageEvent event(MessageEvent.Kind kind, Lease lease, CapabilityId by, String note) {
    Instant now = Timestamps.truncated(context.ports().wall().instant());
    return new MessageEvent(kind, now, lease.attempt(), note, by);
  }

  private void fail(Lease lease, FailurePolicy.Decision decision, MessageEvent event, Fate fate) {
    if (decision instanceof FailurePolicy.Redeliver again) {
      Instant at = context.ports().wall().instant().plus(again.delay());
      context.redeliver(lease.shard(), lease.delivery(), event, at, expiry(lease, at));
      context.end(lease, fate);
      context.workerMetrics().returnsAfter(again.delay());
      long due = context.now() + again.delay().toNanos();
      lease.shard().expectReturn(lease.msgId(), due, MAX_RETURNING);
    } else if (decision instanceof FailurePolicy.GiveUp giveUp) {
      deadLetter(lease, Quarantine.after(event, giveUp.reason()), Fate.DEAD);
    }
  }

  private static Instant expiry(Lease lease, Instant readyAt) {
    Duration ttl = lease.delivery().message().ttl();
    return StoredMessage.expiry(readyAt, ttl, lease.topic().settings().retention());
  }

  private void deadLetter(Lease lease, Quarantine why, Fate fate) {
    Duration kept = lease.topic().settings().retention().dlq();
    context.quarantine(lease.shard(), lease.delivery(), why, kept);
    context.end(lease, fate);
  }

  private void answer(Settle settle, SettleOutcome outcome) {
    context.replies().settle(settle.reply(), outcome);
  }
}
