package org.svcmailbox.spring;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.svcmailbox.client.loop.MainLoop;
import org.svcmailbox.spring.Outages.Outage;

/**
 * Up while each listener's loop runs and receives. For each mailbox, the details have the number of
 * messages that its loop holds, the reason why it ended, and the time since which receives fail.
 * The check makes no call.
 */
final class MailboxHealth implements HealthIndicator {
  private final SpringListenerLoops loops;
  private final Outages outages;

  MailboxHealth(SpringListenerLoops loops, Outages outages) {
    this.loops = loops;
    this.outages = outages;
  }

  @Override
  public Health health() {
    Health.Builder health = Health.up();
    loops.loops().forEach((mailbox, loop) -> add(health, mailbox, loop));
    return health.build();
  }

  private void add(Health.Builder health, String mailbox, MainLoop<?, ?> loop) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("running", loop.isRunning());
    details.put("held", loop.busy());
    loop.failure().ifPresent(failure -> details.put("failure", failure.toString()));
    Optional<Outage> outage = outages.of(mailbox);
    outage.ifPresent(
        known -> {
          details.put("nothingReceivedSince", known.since());
          details.put("error", String.valueOf(known.cause()));
        });
    if (!loop.isRunning() || outage.isPresent()) {
      health.down();
    }
    health.withDetail(mailbox, details);
  }
}
