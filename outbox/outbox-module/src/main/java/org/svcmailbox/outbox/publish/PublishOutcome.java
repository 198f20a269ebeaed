package org.svcmailbox.outbox.publish;

import java.time.Instant;

/** The outcome of publishing one event by its id. */
public sealed interface PublishOutcome {
  /** All its topics accepted it, and its row is marked. A parked event is no longer parked. */
  record Done() implements PublishOutcome {}

  /**
   * It was published before. Nothing was sent or changed.
   *
   * @param publishedAt when
   */
  record AlreadyPublished(Instant publishedAt) implements PublishOutcome {}

  /** The outbox has no such event. */
  record Unknown() implements PublishOutcome {}

  /** Another publisher works on the events of its lane. Nothing was sent; try again. */
  record Busy() implements PublishOutcome {}

  /**
   * A topic did not accept it. The attempt is counted. A refused event is parked, as a publisher
   * parks it; another is published later.
   *
   * @param reason why, as {@code publish_error} has it
   */
  record Failed(String reason) implements PublishOutcome {}
}
