package org.svcmailbox.core.rendezvous.mailbox;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.GetOutcome.Closing;
import org.svcmailbox.core.rendezvous.GetOutcome.Empty;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.time.Ticker;

/**
 * All mailboxes, in memory. Each of 64 stripes guards its mailboxes with one lock. A thread holds
 * at most one of these locks, and calls no foreign code under it. Any thread; no method blocks.
 */
public final class Rendezvous implements Delivery.Settlement {
  private static final int STRIPE_BITS = 6;

  /** Limits the time for which a lock is held. */
  private static final int EVICTED_AT_ONCE = 256;

  /** The most attempts, because another POST may take the place of a dropped mailbox. */
  private static final int TRIES = 8;

  private final Limits limits;
  private final Ticker ticker;
  private final InstantSource wall;
  private final LongConsumer wakeups;
  private final RecipientKey.Salt salt;
  private final List<Stripe> stripes = new ArrayList<>();

  /**
   * @param random makes the salt, which decides the stripe of each mailbox
   * @param wakeups receives the nanoseconds from a message's arrival until a waiting GET was
   *     written
   */
  public Rendezvous(
      RendezvousSettings settings,
      SecureRandom random,
      Ticker ticker,
      InstantSource wall,
      LongConsumer wakeups) {
    this.limits = new Limits(settings);
    this.ticker = ticker;
    this.wall = wall;
    this.wakeups = wakeups;
    this.salt = new RecipientKey.Salt(random);
    for (int i = 0; i < 1 << STRIPE_BITS; i++) {
      stripes.add(new Stripe(limits, this));
    }
  }

  public PostOutcome post(Access access, RecipientId recipient, byte[] body) {
    RecipientKey key = salt.of(recipient);
    Stripe stripe = stripe(key);
    Stripe.Posted posted = null;
    for (int tries = 0; tries < TRIES; tries++) {
      posted = stripe.post(key, access.sender(), body, ticker.nanos(), wall.millis());
      if (!posted.needsMailbox() || !dropLeastRecentlyUsed()) {
        break;
      }
    }
    if (posted == null) {
      return PostOutcome.FULL;
    }
    ClaimQueue.carryOut(posted.claim());
    return posted.outcome();
  }

  public Runnable get(
      Access access, RecipientId recipient, Duration wait, Consumer<GetOutcome> receiver) {
    RecipientKey key = salt.of(recipient);
    Stripe stripe = stripe(key);
    long now = ticker.nanos();
    WaitingGet get = new WaitingGet(key, access, now + wait.toNanos(), receiver);
    Stripe.Got got = stripe.get(get, wait.compareTo(Duration.ZERO) > 0, now);
    ClaimQueue.carryOut(got.claim());
    if (got.outcome() != null) {
      get.end(got.outcome());
    }
    return () -> stripe.abandon(get, ticker.nanos());
  }

  Optional<MailboxStats> stats(RecipientId recipient) {
    RecipientKey key = salt.of(recipient);
    return stripe(key).stats(key);
  }

  /** Not a consistent snapshot: the numbers are read one after another. */
  public GlobalStats globalStats() {
    return new GlobalStats(
        limits.mailboxes.taken(),
        size(),
        limits.budget.used(),
        limits.waiting.taken(),
        limits.delivered.sum(),
        limits.evicted.sum(),
        limits.returned.sum(),
        limits.lost.sum());
  }

  public void evictExpired() {
    for (Stripe stripe : stripes) {
      boolean isDone = false;
      while (!isDone) {
        isDone = stripe.evict(ticker.nanos(), EVICTED_AT_ONCE);
      }
    }
  }

  public void endWaits() {
    for (Stripe stripe : stripes) {
      stripe.endWaits(ticker.nanos()).forEach(get -> get.end(new Empty()));
    }
  }

  /**
   * Refuses POSTs and waiting GETs from now on. Returns one call per waiting GET, which ends it.
   * The caller runs these last, because no client may learn of the shutdown while a mailbox still
   * accepts messages.
   */
  public List<Runnable> close() {
    return stripes.stream()
        .flatMap(stripe -> stripe.close(ticker.nanos()).stream())
        .<Runnable>map(get -> () -> get.end(new Closing()))
        .toList();
  }

  /** Discards all messages; returns how many. */
  public int clear() {
    return stripes.stream().mapToInt(Stripe::clear).sum();
  }

  public int size() {
    return stripes.stream().mapToInt(Stripe::size).sum();
  }

  /** Whether the client already has the most waiting GETs it may have. */
  public boolean hasMostWaiting(InetAddress client) {
    return limits.waitingClients.of(client) >= limits.maxWaitingPerClient;
  }

  /** Whether the memory, the mailboxes or the waiting GETs are nearly at their limit. */
  public boolean isNearlyFull() {
    return limits.areNearlyReached();
  }

  Limits limits() {
    return limits;
  }

  @Override
  public void written(Delivery delivery) {
    long now = ticker.nanos();
    if (delivery.hasWaited) {
      wakeups.accept(now - delivery.since);
    }
    HeldMessage message = delivery.message();
    ClaimQueue.carryOut(stripe(message.box.key).written(message, now));
  }

  @Override
  public void returned(Delivery delivery, boolean wasSent) {
    HeldMessage message = delivery.message();
    ClaimQueue.carryOut(stripe(message.box.key).returned(message, wasSent, ticker.nanos()));
  }

  private Stripe stripe(RecipientKey key) {
    return stripes.get(key.group(STRIPE_BITS));
  }

  /** Tries one stripe after another; false if no mailbox is idle. */
  private boolean dropLeastRecentlyUsed() {
    Stripe found = null;
    long longest = Long.MIN_VALUE;
    long now = ticker.nanos();
    for (Stripe stripe : stripes) {
      OptionalLong idle = stripe.idleFor(now);
      if (idle.isPresent() && (found == null || idle.getAsLong() > longest)) {
        found = stripe;
        longest = idle.getAsLong();
      }
    }
    return found != null && found.dropLeastRecentlyUsed();
  }
}
