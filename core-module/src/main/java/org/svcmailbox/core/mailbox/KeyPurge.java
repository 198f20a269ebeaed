package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.time.InstantSource;
import org.svcmailbox.core.batch.SendRegistry;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.worker.state.GroupsHere;

/**
 * Frees expired idempotency keys as fast as SENDs take new ones. A step frees all of them, or as
 * many as its time allows. One thread.
 */
final class KeyPurge {
  /** Keys freed in one transaction, besides those that expire in the same millisecond. */
  static final int KEYS = 2_000;

  /** How long a step may take. */
  static final Duration MOST = Duration.ofMillis(500);

  private final SendRegistry registry;
  private final Limits limits;
  private final GroupsHere here;
  private final InstantSource wall;
  private final Purge purge;

  KeyPurge(
      SendRegistry registry, Limits limits, GroupsHere here, InstantSource wall, Ticker ticker) {
    this.here = here;
    this.registry = registry;
    this.limits = limits;
    this.wall = wall;
    this.purge = new Purge(ticker, MOST);
  }

  /** Frees expired keys; returns how many. */
  long step() {
    limits.keys().prune();
    return purge.run(this::removeSome);
  }

  private int removeSome() {
    int removed = registry.purgeExpired(here.expiry(wall.instant()), KEYS);
    limits.keysPurged(removed);
    return removed;
  }
}
