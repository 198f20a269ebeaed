package org.svcmailbox.outbox.publish;

import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.OutboxEvent;

/** Receives the events of a publisher, on its thread. Its exceptions are logged. */
public interface PublishListener {
  /** Hears nothing. */
  PublishListener NONE = new PublishListener() {};

  /** An event is published, and its row marked and committed. */
  default void published(OutboxEventPublished event) {}

  /** An event is parked. */
  default void parked(OutboxEvent event, ErrorCode code) {}

  /** A topic took no events. */
  default void paused(String topic, PublishException why) {}

  /** A round failed: the database is away, or the host's routes throw. */
  default void failed(RuntimeException why) {}
}
