package org.svcmailbox.core.rendezvous;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.bounds.DrainRate;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.caveat.Operation;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rendezvous.GetOutcome.Closing;
import org.svcmailbox.core.rendezvous.RendezvousDoor.Ports;
import org.svcmailbox.core.rendezvous.RendezvousService.Health;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.time.Ticker;

/** The parts of an enabled rendezvous service. Any thread, except {@link #step}. */
final class OpenDoor {
  private static final Logger LOG = System.getLogger(RendezvousDoor.class.getName());
  private static final Duration SHORTEST_RETRY = Duration.ofSeconds(1);
  private static final int PURGED_AT_ONCE = 1_000;

  private final DoorSettings settings;
  private final RendezvousStore store;
  private final Ticker ticker;
  private final InstantSource wall;
  private final DrainRate rate = new DrainRate();
  private final DoorMetrics metrics = new DoorMetrics();
  private final Rendezvous mailboxes;
  private final AccessGate gate;
  private final TokenCache tokens;
  private final TokenAdmin admin;
  private final EvictionSchedule evictions;
  private final DoorHealth health;
  private final Optional<String> firstToken;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /** Messages and waits gone by the last step. */
  private long gone;

  OpenDoor(MailboxSettings all, Ports ports) {
    RendezvousSettings door = all.rendezvous();
    this.settings = doorSettings(all);
    this.store = ports.store();
    this.ticker = ports.ticker();
    this.wall = ports.wall();
    this.tokens = new TokenCache(door.auth().mode(), door.auth().tokens());
    store.tokens().forEach(tokens::put);
    this.admin = new TokenAdmin(tokens, store, ports.random(), wall);
    this.firstToken = door.auth().mode() == AuthMode.SERVER_WIDE ? admin.first() : Optional.empty();
    RecipientKey.Salt salt = new RecipientKey.Salt(ports.random());
    this.mailboxes = new Rendezvous(door, salt, ticker, wall, metrics::wokeUp);
    this.gate = gate(door, ports);
    this.evictions = new EvictionSchedule(door.evictionInterval().toNanos(), ticker);
    this.health = new DoorHealth(mailboxes.limits(), evictions, door.listener().maxConnections());
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

  private AccessGate gate(RendezvousSettings door, Ports ports) {
    AccessRules configured =
        new AccessRules(
            door.access().allow(),
            door.access().block(),
            door.rates().postsPerMinute(),
            door.rates().getsPerMinute(),
            door.rates().windowSeconds());
    return new AccessGate(
        store.access().orElse(configured),
        new TokenJudge(door.auth().mode(), tokens, ports.capabilities(), wall),
        mailboxes.limits(),
        door.rates().ipv6Prefix(),
        ticker::nanos,
        this::retryAfter);
  }

  DoorSettings settings() {
    return settings;
  }

  Rendezvous mailboxes() {
    return mailboxes;
  }

  TokenAdmin admin() {
    return admin;
  }

  DoorHealth health() {
    return health;
  }

  DoorMetrics metrics() {
    return metrics;
  }

  Optional<String> firstToken() {
    return firstToken;
  }

  String metricsText() {
    return metrics.text(mailboxes.globalStats());
  }

  Admission admit(Knock knock) {
    Admission admission = gate.admit(knock);
    if (admission instanceof Admission.Limited) {
      metrics.limited();
    }
    return admission;
  }

  Duration retryAfter() {
    Duration estimate = rate.until(1, ticker.nanos());
    return estimate.compareTo(SHORTEST_RETRY) < 0 ? SHORTEST_RETRY : estimate;
  }

  void step() {
    mailboxes.endWaits();
    if (evictions.isDue()) {
      mailboxes.evictExpired();
      tokens.removeEnded(wall.instant());
      evictions.done();
    }
    GlobalStats stats = mailboxes.globalStats();
    rate.drained(stats.delivered() + stats.evicted() - gone);
    gone = stats.delivered() + stats.evicted();
    health.judge();
  }

  void purge() {
    try {
      while (admin.purge(PURGED_AT_ONCE) == PURGED_AT_ONCE) {
        LOG.log(Level.DEBUG, "Many rendezvous tokens have ended");
      }
    } catch (UnavailableException e) {
      LOG.log(Level.WARNING, "Rendezvous tokens that ended are removed later: {0}", e.toString());
    }
  }

  void drain() {
    List<WaitingGet> refused = mailboxes.close();
    health.stopping();
    refused.forEach(get -> get.end(new Closing()));
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

  AccessRules access(Caller operator) {
    operator.require(Operation.ADMIN, null);
    return gate.rules();
  }

  void setAccess(Caller operator, AccessRules rules) {
    operator.require(Operation.ADMIN, null);
    AccessCheck.require(rules);
    Instant now = wall.instant();
    AuditEntry entry = operator.audit(now, "rendezvous.access", "rules", AccessCheck.text(rules));
    store.putAccess(rules, entry);
    gate.setRules(rules);
  }

  Health judge() {
    return health.judge();
  }
}
