package org.svcmailbox.core.worker.send;

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
import org.svcmailbox.core.batch.Batch;
import org.svcmailbox.core.batch.KeyTakenException;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.batch.Taken;
import org.svcmailbox.core.bounds.KeyShares;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.idempotency.IdempotencyKey;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.worker.state.Refusals;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.StepPart;
import org.svcmailbox.core.worker.state.WorkerContext;

/**
 * Plans a batch of each group in memory, takes its keys, and stages its messages together with its
 * record in the group's batch log. The step's one commit decides: the broker has the messages and
 * records of all groups, or none. After a commit of unknown outcome, a group's SENDs are refused
 * until its log is whole and tells.
 */
public final class SendStage implements StepPart {
  private static final Logger LOG = System.getLogger(SendStage.class.getName());
  private static final Duration REPEAT_AFTER = Duration.ofSeconds(1);

  /** The most plans for a batch: another worker may take a key between plan and reservation. */
  private static final int MAX_PLANS = 4;

  private final WorkerContext context;
  private final SendRegistry registry;
  private final GroupLogs logs;
  private boolean holdsLetters;

  public SendStage(WorkerContext context, SendRegistry registry, GroupLogs logs) {
    this.context = context;
    this.registry = registry;
    this.logs = logs;
  }

  @Override
  public void onCommit() {
    logs.onCommit();
    if (holdsLetters) {
      holdsLetters = false;
      context.session().returnLetters();
    }
  }

  @Override
  public void onSessionLost() {
    holdsLetters = false;
  }

  /** Stages all SENDs of a step; their answers wait for the step's commit. */
  public void stage(List<Send> all) {
    if (!all.isEmpty()) {
      logs.byGroup(all).forEach(this::stage);
    }
  }

  private void stage(BatchLogWriter log, List<Send> all) {
    String unknown = log.unknown();
    if (unknown != null) {
      refuse(all, unknown);
      return;
    }
    List<Send> sends = takeLetters(refuseWithoutQueue(all));
    if (sends.isEmpty()) {
      return;
    }
    String full = log.awaitRoom(sends.size());
    if (full != null) {
      refuse(sends, full);
      return;
    }
    SendPlan plan = reserve(log, sends);
    if (plan == null) {
      refuse(sends, "key_contention");
      return;
    }
    enqueue(log, plan);
    answer(sends, plan);
  }

  private void answer(List<Send> sends, SendPlan plan) {
    for (int i = 0; i < sends.size(); i++) {
      context.replies().send(sends.get(i).reply(), plan.outcomes().get(i));
    }
  }

  /**
   * Refuses SENDs to shards without a queue, because each one would cost the session and every
   * lease.
   *
   * @return the others
   */
  private List<Send> refuseWithoutQueue(List<Send> sends) {
    Set<ShardId> lacking =
        sends.stream()
            .map(Send::shard)
            .distinct()
            .filter(shard -> !context.session().hasQueue(shard))
            .collect(Collectors.toUnmodifiableSet());
    if (lacking.isEmpty()) {
      return sends;
    }
    LOG.log(Level.WARNING, "SENDs are refused because queues are missing: {0}", lacking);
    lacking.forEach(shard -> context.limits().lackingQueues().add(shard.topic()));
    refuse(sends.stream().filter(send -> lacking.contains(send.shard())).toList(), "queue_missing");
    return sends.stream().filter(send -> !lacking.contains(send.shard())).toList();
  }

  /**
   * Takes the dead letters of SENDs that have one. Refuses a SEND whose letter is gone or held
   * elsewhere.
   *
   * @return the others
   */
  private List<Send> takeLetters(List<Send> sends) {
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
        "letter_away", "the dead letter is gone or held elsewhere", Duration.ofSeconds(1));
  }

  private @Nullable SendPlan reserve(BatchLogWriter log, List<Send> sends) {
    for (int i = 0; i < MAX_PLANS; i++) {
      SendPlan plan = plan(sends);
      if (plan.accepted().isEmpty() || take(log, plan)) {
        return plan;
      }
    }
    return null;
  }

  private SendPlan plan(List<Send> sends) {
    Instant now = context.ports().wall().instant();
    List<IdempotencyKey> keys = sends.stream().map(Send::key).distinct().toList();
    Map<IdempotencyKey, Taken> taken = registry.find(keys, expiry(now));
    return SendPlan.of(sends, now, taken, context.limits(), registry::head);
  }

  private boolean take(BatchLogWriter log, SendPlan plan) {
    try {
      Batch batch = new Batch(log.group(), log.next(), plan.pages());
      registry.take(batch, expiry(plan.now()), plan.released());
    } catch (KeyTakenException e) {
      return false;
    }
    countKeys(plan);
    return true;
  }

  private void countKeys(SendPlan plan) {
    KeyShares keys = context.limits().keys();
    keys.total().add(plan.newKeys());
    for (SendPlan.Placed each : plan.accepted()) {
      Send send = each.send();
      keys.taken(send.topic().name(), send.sender(), send.topic().settings().tReplay());
    }
  }

  private void enqueue(BatchLogWriter log, SendPlan plan) {
    if (plan.accepted().isEmpty()) {
      return;
    }
    Instant now = context.ports().wall().instant();
    for (SendPlan.Placed accepted : plan.accepted()) {
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
    log.stage(plan.pages());
  }

  private void refuse(List<Send> sends, String reason) {
    Refusal refusal =
        Refusals.NOT_HERE.equals(reason)
            ? Refusals.notHere()
            : Refusal.unavailable(
                reason, "the message was not taken; repeat the SEND", REPEAT_AFTER);
    sends.forEach(send -> context.replies().replyNow(() -> send.refuse(refusal)));
  }

  private Instant expiry(Instant now) {
    return context.slots().here().expiry(now);
  }
}
