package org.svcmailbox.core.worker.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.message.ExpiryPolicy;
import org.svcmailbox.core.message.Quarantine;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.worker.state.ShardState;
import org.svcmailbox.core.worker.state.WorkerContext;

/** Expires and verifies prefetched messages before a client sees them. */
public final class Inspection {
  private final WorkerContext context;

  public Inspection(WorkerContext context) {
    this.context = context;
  }

  /** Whether a prefetched message may be shown; stages any other as a dead letter. */
  public boolean passOrQuarantine(ShardState shard, Topic topic, Delivery delivery) {
    Quarantine why = objection(delivery);
    if (why != null) {
      end(shard, delivery, why, topic.settings().retention().dlq());
    }
    return why == null;
  }

  /** Stages expired prefetched messages as dead letters; returns how many. */
  int endExpired(ShardState shard, int most) {
    List<Delivery> over = shard.prefetched().where(this::isOver, most);
    Duration kept = context.ports().topics().letterRetention(shard.id().topic());
    over.forEach(delivery -> end(shard, delivery, expired(delivery), kept));
    return over.size();
  }

  private void end(ShardState shard, Delivery delivery, Quarantine why, Duration kept) {
    shard.prefetched().remove(delivery);
    context.workerMetrics().quarantined(why.reason(), 1);
    context.quarantine(shard, delivery, why, kept);
  }

  private @Nullable Quarantine objection(Delivery delivery) {
    context.moved();
    StoredMessage message = delivery.message();
    if (!isIntact(delivery)) {
      return Quarantine.altered(deliveries(message));
    }
    return isOver(delivery) ? expired(delivery) : null;
  }

  /** Once for each delivery: repeated peeks and give-backs do not hash it again. */
  private static boolean isIntact(Delivery delivery) {
    StoredMessage message = delivery.message();
    if (!delivery.isVerified() && message.envelope().isIntact(message.payload())) {
      delivery.verified();
    }
    return delivery.isVerified();
  }

  private boolean isOver(Delivery delivery) {
    return isOver(delivery.readySince(), delivery.message().expiresAt());
  }

  boolean isOver(Instant readySince, Instant expiresAt) {
    Instant end = ExpiryPolicy.end(readySince, expiresAt, context.sessionSince());
    return !end.isAfter(context.ports().wall().instant());
  }

  private Quarantine expired(Delivery delivery) {
    StoredMessage message = delivery.message();
    String note =
        ExpiryPolicy.note(delivery.readySince(), context.sessionSince(), message.lastError());
    return Quarantine.expired(deliveries(message), note);
  }

  private static int deliveries(StoredMessage message) {
    return message.envelope().attempt() - 1;
  }
}
