package org.svcmailbox.outbox.publish;

import java.util.function.Function;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.route.Routes;

/**
 * The state of a publisher between rounds.
 *
 * @param publishers a topic's publisher; called with topics of {@code routes} only
 */
record Publishing(
    PublisherSettings settings,
    Routes routes,
    Function<String, EventPublisher> publishers,
    Passes passes,
    PausedTopics paused,
    PublishListener listener,
    MailboxClock clock) {
  /** As above, for one event that is sent even if others wait or its topic is paused. */
  Publishing outOfTurn() {
    return new Publishing(
        settings,
        routes,
        publishers,
        new Passes(clock),
        new PausedTopics(clock, () -> 0),
        listener,
        clock);
  }
}
