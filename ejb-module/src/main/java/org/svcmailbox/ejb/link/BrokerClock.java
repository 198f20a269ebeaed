package org.svcmailbox.ejb.link;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.SimpleString;

/**
 * Translates between the wall clock, which the broker uses, and this service's own clock, which
 * nobody moves. The broker delays a message until the wall clock reaches a time, even if somebody
 * moves that clock. So the delay is given in the broker's time, and the message also carries its
 * due time in ours; a message that arrives before that is early. Differences below half a second
 * are ignored, because they vary with each reading.
 */
public final class BrokerClock {
  static final SimpleString DUE = SimpleString.of("mailbox_due");
  static final SimpleString LIFE = SimpleString.of("mailbox_life");

  private static final Duration SMALL = Duration.ofMillis(500);
  private static final Duration ALMOST_A_MILLI = Duration.ofNanos(999_999);
  private static final long EARLY_MILLIS = 50;

  private final InstantSource ours;
  private final InstantSource wall;

  /**
   * Identifies this process. Its clock starts with it, so times of an earlier process mean nothing.
   */
  private final long life = ThreadLocalRandom.current().nextLong();

  public BrokerClock(InstantSource ours, InstantSource wall) {
    this.ours = ours;
    this.wall = wall;
  }

  /** Now, on our clock. */
  public Instant now() {
    return ours.instant();
  }

  /** How far the broker's clock is ahead of ours; negative when it is behind. */
  public Duration ahead() {
    Duration ahead = Duration.between(ours.instant(), wall.instant());
    return ahead.abs().compareTo(SMALL) < 0 ? Duration.ZERO : ahead;
  }

  /** Makes the broker delay a message until {@code due}, and not a moment less. */
  public void delay(ICoreMessage message, Instant due) {
    long millis = due.plus(ALMOST_A_MILLI).toEpochMilli();
    message.setScheduledDeliveryTime(millis + ahead().toMillis());
    if (due.isAfter(now())) {
      message.putLongProperty(DUE, millis);
      message.putLongProperty(LIFE, life);
    }
  }

  /** Converts a time of the broker's clock to ours. */
  public Instant onOurs(long millis) {
    return Instant.ofEpochMilli(millis - ahead().toMillis());
  }

  /** Makes a new message enter its queue at the head. */
  public void atHead(ICoreMessage message) {
    delay(message, now());
  }

  /** Whether the broker delivered a message before it was due, because its clock was moved. */
  public boolean isEarly(ICoreMessage message) {
    return message.containsProperty(DUE)
        && Objects.equals(message.getLongProperty(LIFE), life)
        && message.getLongProperty(DUE) - now().toEpochMilli() > EARLY_MILLIS;
  }

  /** When an early message is due. */
  public Instant due(ICoreMessage early) {
    return Instant.ofEpochMilli(early.getLongProperty(DUE));
  }

  /** How long a delayed message may be ready before it expires. */
  public static Duration ready(ICoreMessage delayed) {
    return Duration.ofMillis(delayed.getExpiration() - delayed.getScheduledDeliveryTime());
  }

  /** Converts a new message's expiry time from our clock to the broker's. */
  public void translateExpiration(ICoreMessage message) {
    message.setExpiration(message.getExpiration() + ahead().toMillis());
  }
}
