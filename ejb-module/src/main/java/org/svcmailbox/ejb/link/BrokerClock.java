package org.svcmailbox.ejb.link;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.SimpleString;

/**
 * The broker's time and ours. The broker goes by the wall clock: it keeps a message back until the
 * wall clock says so, whatever was done to that clock meanwhile. So the broker gets a delay by its
 * clock, and the message also carries the due time by ours; a message that comes before it is
 * early. Small differences are ignored: they come and go with each reading.
 */
public final class BrokerClock {
  static final SimpleString DUE = SimpleString.of("mailbox_due");
  static final SimpleString LIFE = SimpleString.of("mailbox_life");

  private static final Duration SMALL = Duration.ofMillis(500);
  private static final Duration ALMOST_A_MILLI = Duration.ofNanos(999_999);
  private static final long EARLY_MILLIS = 50;

  private final InstantSource ours;
  private final InstantSource wall;

  /** Our time starts with the process, so times written by an earlier one mean nothing. */
  private final long life = ThreadLocalRandom.current().nextLong();

  public BrokerClock(InstantSource ours, InstantSource wall) {
    this.ours = ours;
    this.wall = wall;
  }

  /** Now, as we count. */
  public Instant now() {
    return ours.instant();
  }

  /** How far the broker's clock is before ours; negative when it is behind. */
  public Duration ahead() {
    Duration ahead = Duration.between(ours.instant(), wall.instant());
    return ahead.abs().compareTo(SMALL) < 0 ? Duration.ZERO : ahead;
  }

  /** Has the broker keep a message back until {@code due}, and not a moment less. */
  public void delay(ICoreMessage message, Instant due) {
    long millis = due.plus(ALMOST_A_MILLI).toEpochMilli();
    message.setScheduledDeliveryTime(millis + ahead().toMillis());
    if (due.isAfter(now())) {
      message.putLongProperty(DUE, millis);
      message.putLongProperty(LIFE, life);
    }
  }

  /** A moment on the broker's clock, as we count. */
  public Instant onOurs(long millis) {
    return Instant.ofEpochMilli(millis - ahead().toMillis());
  }

  /** Has a new message enter at the head of its queue. */
  public void atHead(ICoreMessage message) {
    delay(message, now());
  }

  /** Whether the broker, led astray by its clock, lets a message out before it is due. */
  public boolean isEarly(ICoreMessage message) {
    return message.containsProperty(DUE)
        && Objects.equals(message.getLongProperty(LIFE), life)
        && message.getLongProperty(DUE) - now().toEpochMilli() > EARLY_MILLIS;
  }

  /** When an early message is due. */
  public Instant due(ICoreMessage early) {
    return Instant.ofEpochMilli(early.getLongProperty(DUE));
  }

  /** How long a message that was delayed may be ready before it expires. */
  public static Duration ready(ICoreMessage delayed) {
    return Duration.ofMillis(delayed.getExpiration() - delayed.getScheduledDeliveryTime());
  }

  /** Has a new message expire when it would on our clock. */
  public void translateExpiration(ICoreMessage message) {
    message.setExpiration(message.getExpiration() + ahead().toMillis());
  }
}
