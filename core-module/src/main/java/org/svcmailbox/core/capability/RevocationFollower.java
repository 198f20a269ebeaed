package org.svcmailbox.core.capability;

import java.util.concurrent.atomic.AtomicLong;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.CapabilityStore.Revocations;

/**
 * Takes over what other nodes revoke, and the root keys that they make. One thread takes turns;
 * {@link #doubt} is for any thread.
 */
public final class RevocationFollower {
  /** Revocations read at a time. */
  static final int PAGE = 1_000;

  private final CapabilityStore store;
  private final Keyring keys;
  private final Authenticator authenticator;

  /** How often the store may have fallen back, and after how many of them this node began again. */
  private final AtomicLong doubts = new AtomicLong(1);

  private long settled;

  /** The number up to which this node knows all changes. */
  private long known;

  RevocationFollower(CapabilityStore store, Keyring keys, Authenticator authenticator) {
    this.store = store;
    this.keys = keys;
    this.authenticator = authenticator;
  }

  /** Says that the store may have fallen back, so that numbers prove nothing. */
  public void doubt() {
    long unused = doubts.incrementAndGet();
  }

  /**
   * Reads what is new, once. The first turn asks only for what comes later.
   *
   * @throws org.svcmailbox.core.problem.UnavailableException if the database is away; the next turn
   *     does the rest
   */
  public void turn() {
    long doubt = doubts.get();
    long last = store.lastChange();
    if (doubt != settled || last < known) {
      begin(last);
      settled = doubt;
    } else if (last > known) {
      goOn();
    }
  }

  /** Has each capability looked up again, because this node may have missed its revocation. */
  private void begin(long last) {
    keys.reread();
    authenticator.belief().refresh();
    known = last;
  }

  private void goOn() {
    Revocations news;
    do {
      news = store.revokedAfter(known, PAGE);
      authenticator.revoked(news);
      keys.reread();
      known = news.number();
    } while (!news.isLast());
  }
}
