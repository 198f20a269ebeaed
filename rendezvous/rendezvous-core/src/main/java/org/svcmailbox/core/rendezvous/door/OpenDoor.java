package org.svcmailbox.core.rendezvous.door;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.bounds.DrainRate;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.DoorPorts;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.RendezvousService.Health;
import org.svcmailbox.core.rendezvous.access.DoorAccess;
import org.svcmailbox.core.rendezvous.mailbox.GlobalStats;
import org.svcmailbox.core.rendezvous.mailbox.Rendezvous;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.time.Ticker;

/** The parts of an enabled rendezvous service. Any thread, except {@link #step}. */
final class OpenDoor {
  private static final Logger LOG = System.getLogger(RendezvousDoor.class.getName());
  private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);

  private final DoorSettings settings;
  private final Ticker ticker;
  private final DrainRate rate = new DrainRate();
  private final DoorMetrics metrics = new DoorMetrics();
  private final Rendezvous mailboxes;
  private final DoorAccess access;
  private final EvictionSchedule evictions;
  private final DoorHealth health;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /** Messages and waits that the last step ended. */
  private long gone;

  OpenDoor(MailboxSettings all, DoorPorts ports) {
    RendezvousSettings door = all.rendezvous();
    this.settings = doorSettings(all);
    this.ticker = ports.ticker();
    this.mailboxes = new Rendezvous(door, ports.random(), ticker, ports.wall(), metrics::wokeUp);
    this.access = new DoorAccess(door, ports, mailboxes::hasMostWaiting, this::retryAfter);
    this.evictions = new EvictionSchedule(door.evictionInterval().toNanos(), ticker);
    this.health = new DoorHealth(mailboxes, evictions, door.listener().maxConnections());
  }

  private static DoorSettings doorSettings(MailboxSettings all) {
    RendezvousSettings door = all.rendezvous();
    return new DoorSettings(
        door.mailboxes().maxMessageSize(),
        door.listener().maxConnections(),
        door.http().origins(),
        door.http().metricsFrom(),
        all.intake().proxies(),
        door.http().forwardedHeader(),
        door.shutdownTimeout());
  }

  DoorSettings settings() {
    return settings;
  }

  Rendezvous mailboxes() {
    return mailboxes;
  }

  RendezvousAdmin admin() {
    return access.admin();
  }

  DoorHealth health() {
    return health;
  }

  DoorMetrics metrics() {
    return metrics;
  }

  Optional<String> firstToken() {
    return access.firstToken();
  }

  String metricsText() {
    return metrics.text(mailboxes.globalStats());
  }

  AccessAnswer admit(AccessRequest request) {
    AccessAnswer answer = access.admit(request);
    if (answer instanceof AccessAnswer.Limited) {
      metrics.limited();
    }
    return answer;
  }

  BodyOwners bodyOwners(RecipientId recipient) {
    return access.bodyOwners(recipient);
  }

  Duration retryAfter() {
    Duration estimate = rate.until(1, ticker.nanos());
    return estimate.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : estimate;
  }

  void step() {
    mailboxes.endWaits();
    if (evictions.isDue()) {
      mailboxes.evictExpired();
      access.forgetEnded();
      evictions.done();
    }
    GlobalStats stats = mailboxes.globalStats();
    rate.drained(stats.delivered() + stats.evicted() - gone);
    gone = stats.delivered() + stats.evicted();
    health.check();
  }

  void purge() {
    access.purge();
  }

  void drain() {
    List<Runnable> refused = mailboxes.close();
    health.stopping();
    refused.forEach(Runnable::run);
  }

  void close() {
    if (isClosed.compareAndSet(false, true)) {
      drain();
      int lost = mailboxes.clear();
      LOG.log(
          lost == 0 ? Level.DEBUG : Level.WARNING,
          "The rendezvous door is closed; {0} messages were not taken and are lost",
          lost);
    }
  }

  Health check() {
    return health.check();
  }
}
