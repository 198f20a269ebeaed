package org.svcmailbox.spring;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.svcmailbox.client.loop.LoopListener;

/** Records for each mailbox since when receives fail. */
final class Outages implements LoopListener {
  /**
   * One outage.
   *
   * @param cause the latest failure
   */
  record Outage(Instant since, Throwable cause) {}

  private final Clock clock;
  private final Map<String, Outage> outages = new ConcurrentHashMap<>();

  Outages(Clock clock) {
    this.clock = clock;
  }

  @Override
  public void received(String mailbox, int messages) {
    outages.remove(mailbox);
  }

  @Override
  public void receiveFailed(String mailbox, Throwable cause) {
    outages.merge(
        mailbox,
        new Outage(clock.instant(), cause),
        (begun, now) -> new Outage(begun.since(), now.cause()));
  }

  Optional<Outage> of(String mailbox) {
    return Optional.ofNullable(outages.get(mailbox));
  }
}
