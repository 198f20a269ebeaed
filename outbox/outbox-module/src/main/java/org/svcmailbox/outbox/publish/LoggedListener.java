package org.svcmailbox.outbox.publish;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;

/** Logs events that an operator must know, and exceptions of the listener behind it. */
final class LoggedListener implements PublishListener {
  private static final Logger LOG = System.getLogger(OutboxPublisher.class.getName());

  private final PublishListener next;

  LoggedListener(PublishListener next) {
    this.next = next;
  }

  @Override
  public void published(OutboxEventPublished event) {
    guarded(() -> next.published(event));
  }

  @Override
  public void parked(OutboxEvent event, ErrorCode code) {
    LOG.log(
        Level.WARNING,
        "Event {0} of {1} is parked: {2} (correlation {3}, causation {4})",
        event.id(),
        event.aggregate(),
        code,
        event.correlationId(),
        event.causationId());
    guarded(() -> next.parked(event, code));
  }

  @Override
  public void paused(String topic, PublishException why) {
    LOG.log(Level.DEBUG, "Topic {0} takes no events: {1}", topic, why.getMessage());
    guarded(() -> next.paused(topic, why));
  }

  @Override
  public void failed(RuntimeException why) {
    guarded(() -> next.failed(why));
  }

  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "A listener of the outbox failed", e);
    }
  }
}
