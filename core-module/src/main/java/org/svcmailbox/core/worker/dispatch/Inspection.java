package org.svcmailbox.core.worker.dispatch;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Delivery;
import org.svcmailbox.core.message.DeadLetterReason;
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
    Quarantine why = objection(delivery.message());
    if (why != null) {
      shard.prefetched().remove(delivery);
      context.quarantine(shard, delivery, why, topic.settings().retention().dlq());
    }
    return why == null;
  }

  private @Nullable Quarantine objection(StoredMessage message) {
    int deliveries = message.envelope().attempt() - 1;
    if (!message.envelope().isIntact(message.payload())) {
      context.workerMetrics().quarantined(DeadLetterReason.INTEGRITY, 1);
      return Quarantine.altered(deliveries);
    }
    Instant now = context.ports().wall().instant();
    return message.expiresAt().isAfter(now)
        ? null
        : Quarantine.expired(deliveries, message.lastError());
  }
}
