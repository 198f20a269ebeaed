package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.rate.Buckets;
import org.svcmailbox.core.rate.Buckets.Limit;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;

/**
 * Decides whether a call on a topic may start: its caller has the right, the service is not
 * stopping, and the rate of the topic permits it. Any thread.
 */
final class IntakeGate {
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final int perTopic;
  private final Duration drainDeadline;
  private final Buckets<TopicName> topicRates;
  private volatile boolean draining;

  IntakeGate(MailboxSettings settings, Ticker ticker) {
    this.perTopic = settings.rates().perTopic();
    this.drainDeadline = settings.drainDeadline();
    this.topicRates = new Buckets<>(settings.rates().buckets(), ticker::nanos);
  }

  /** Refuses every new call from now on. */
  void close() {
    draining = true;
  }

  boolean isDraining() {
    return draining;
  }

  /** The reason to refuse a call before it starts; empty if it may start. */
  Optional<Refusal> refusal(Caller caller, Operation operation, TopicName topic) {
    return refusal(caller.denial(operation, topic), topic);
  }

  /** As {@link #refusal(Caller, Operation, TopicName)}, for a SEND. */
  Optional<Refusal> refusal(Caller caller, SendRequest send) {
    Optional<Denial> denial = caller.sendDenial(Operation.SEND, send.topic(), send.idemKey());
    return refusal(denial, send.topic());
  }

  private Optional<Refusal> refusal(Optional<Denial> denial, TopicName topic) {
    if (denial.isPresent()) {
      return denial.map(Refusal::denied);
    }
    if (draining) {
      return Optional.of(stopping());
    }
    Optional<Duration> wait =
        perTopic > 0
            ? topicRates.take(topic, List.of(new Limit<>(topic, perTopic, SECOND)))
            : Optional.empty();
    return wait.map(left -> Refusal.saturated("rate_topic", "too many calls on this topic", left));
  }

  /** The refusal while the service is stopping. */
  Refusal stopping() {
    return Refusal.unavailable(Refusal.DRAINING, "the service is stopping", drainDeadline);
  }
}
