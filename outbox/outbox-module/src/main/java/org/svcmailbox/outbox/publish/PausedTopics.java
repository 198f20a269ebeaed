package org.svcmailbox.outbox.publish;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import org.svcmailbox.client.MailboxClock;

/**
 * The topics that take no events at present. Each pause is a random time between 1 s and a bound
 * that doubles with each failure, up to 60 s, or what the topic asked for. After it, one event goes
 * first; the others follow when that one is accepted. One thread uses an instance.
 */
final class PausedTopics {
  private static final Logger LOG = System.getLogger(OutboxPublisher.class.getName());

  static final Duration MIN = Duration.ofSeconds(1);
  static final Duration MAX = Duration.ofSeconds(60);

  private static final class Pause {
    private long until;
    private long bound = MIN.toNanos();
    private boolean isProbing;
  }

  private final Map<String, Pause> pauses = new HashMap<>();
  private final MailboxClock clock;
  private final DoubleSupplier random;

  /**
   * @param random from 0 to 1, exclusive
   */
  PausedTopics(MailboxClock clock, DoubleSupplier random) {
    this.clock = clock;
    this.random = random;
  }

  /** Whether an event may be sent to all of these now. If it may, the caller sends it. */
  boolean admit(Collection<String> topics) {
    if (pauses.isEmpty()) {
      return true;
    }
    if (!topics.stream().allMatch(this::isOpen)) {
      return false;
    }
    topics.stream()
        .map(pauses::get)
        .filter(Objects::nonNull)
        .forEach(pause -> pause.isProbing = true);
    return true;
  }

  private boolean isOpen(String topic) {
    Pause pause = pauses.get(topic);
    return pause == null || (!pause.isProbing && clock.isPast(pause.until));
  }

  /** Notes an accepted event. */
  void accepted(String topic) {
    if (pauses.remove(topic) != null) {
      LOG.log(Level.INFO, "Topic {0} takes events again", topic);
    }
  }

  /** Notes that a topic answered, but refused the event. */
  void answered(String topic) {
    Pause pause = pauses.get(topic);
    if (pause != null) {
      pause.isProbing = false;
    }
  }

  /** Notes a failure. Failures of events that were in flight together make one pause. */
  void failed(String topic, PublishException why) {
    Pause pause = pauses.get(topic);
    if (pause != null && !pause.isProbing && !clock.isPast(pause.until)) {
      return;
    }
    if (pause == null) {
      pause = new Pause();
      pauses.put(topic, pause);
      LOG.log(
          Level.WARNING,
          "Topic {0} takes no events, and is tried until it does: {1}",
          topic,
          why.getMessage());
    }
    pause.isProbing = false;
    pause.bound = Math.min(pause.bound * 2, MAX.toNanos());
    pause.until = clock.deadline(why.retryAfter().map(PausedTopics::bounded).orElse(random(pause)));
  }

  private Duration random(Pause pause) {
    long span = pause.bound - MIN.toNanos();
    return MIN.plusNanos((long) (random.getAsDouble() * span));
  }

  private static Duration bounded(Duration asked) {
    return asked.compareTo(MIN) < 0 ? MIN : asked.compareTo(MAX) > 0 ? MAX : asked;
  }
}
