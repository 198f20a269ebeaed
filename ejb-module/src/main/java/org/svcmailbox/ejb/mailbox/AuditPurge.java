package org.svcmailbox.ejb.mailbox;

import java.time.Duration;
import java.time.InstantSource;
import org.svcmailbox.core.capability.CapabilityStore;
import org.svcmailbox.core.delivery.Purge;
import org.svcmailbox.core.delivery.Ticker;

/** Removes the audit's entries whose retention is over, however fast they were written. */
final class AuditPurge {
  /** Entries removed in one transaction. */
  static final int ENTRIES = 1_000;

  private static final Duration MOST = Duration.ofMillis(500);

  private final CapabilityStore store;
  private final Duration retention;
  private final InstantSource wall;
  private final Purge purge;

  AuditPurge(CapabilityStore store, Duration retention, InstantSource wall, Ticker ticker) {
    this.store = store;
    this.retention = retention;
    this.wall = wall;
    this.purge = new Purge(ticker, MOST);
  }

  /** Removes what is too old; returns how many entries that were. */
  long step() {
    return purge.run(() -> store.purgeAudit(wall.instant().minus(retention), ENTRIES));
  }
}
