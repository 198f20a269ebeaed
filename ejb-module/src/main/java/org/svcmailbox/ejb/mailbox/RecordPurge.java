package org.svcmailbox.ejb.mailbox;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.mailbox.Purge;
import org.svcmailbox.core.time.Ticker;

/**
 * Removes audit entries past their retention and mintings of expired capabilities, however fast
 * they are written.
 */
final class RecordPurge {
  /** Rows removed in one transaction. */
  static final int ROWS = 1_000;

  private static final Duration MOST = Duration.ofMillis(500);

  private final CapabilityStore store;
  private final Duration retention;
  private final InstantSource wall;
  private final Purge purge;

  /**
   * @param retention how long an audit entry is kept
   */
  RecordPurge(CapabilityStore store, Duration retention, InstantSource wall, Ticker ticker) {
    this.store = store;
    this.retention = retention;
    this.wall = wall;
    this.purge = new Purge(ticker, MOST);
  }

  /** Removes what is too old; returns the number of rows. */
  long step() {
    Instant now = wall.instant();
    return purge.run(() -> store.purgeAudit(now.minus(retention), ROWS))
        + purge.run(() -> store.purgeMintings(now, ROWS));
  }
}
