package org.svcmailbox.core.rendezvous.access;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.AccessRules;
import org.svcmailbox.core.rendezvous.DoorPorts;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousAdmin;
import org.svcmailbox.core.rendezvous.RendezvousStore;
import org.svcmailbox.core.settings.RendezvousSettings;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;

/** The tokens and rules of the service, and the access control that uses them. Any thread. */
public final class DoorAccess {
  private static final Logger LOG = System.getLogger(DoorAccess.class.getName());
  private static final int PURGED_AT_ONCE = 1_000;

  private final InstantSource wall;
  private final TokenCache tokens;
  private final TokenCheck check;
  private final AccessControl control;
  private final AccessAdmin admin;
  private final Optional<String> firstToken;

  /**
   * Reads tokens and rules.
   *
   * @param hasMostWaiting whether a client may not wait with another GET
   * @param retryAfter when a client with too many waiting GETs may try again
   */
  public DoorAccess(
      RendezvousSettings settings,
      DoorPorts ports,
      Predicate<InetAddress> hasMostWaiting,
      Supplier<Duration> retryAfter) {
    AuthMode mode = settings.auth().mode();
    RendezvousStore store = ports.store();
    this.wall = ports.wall();
    this.tokens = new TokenCache(mode, settings.auth().tokens());
    store.tokens().forEach(tokens::put);
    this.check = new TokenCheck(mode, tokens, ports.capabilities(), wall);
    this.control =
        new AccessControl(
            store.access().orElseGet(() -> configured(settings)),
            check,
            hasMostWaiting,
            settings.rates().ipv6Prefix(),
            ports.ticker()::nanos,
            retryAfter);
    this.admin = new AccessAdmin(tokens, control, store, ports.random(), wall);
    this.firstToken = mode == AuthMode.SERVER_WIDE ? admin.first() : Optional.empty();
  }

  private static AccessRules configured(RendezvousSettings settings) {
    return new AccessRules(
        settings.access().allow(),
        settings.access().block(),
        settings.rates().postsPerMinute(),
        settings.rates().getsPerMinute(),
        settings.rates().windowSeconds());
  }

  /** The token for every mailbox that the first start created; empty at later starts. */
  public Optional<String> firstToken() {
    return firstToken;
  }

  public AccessAnswer admit(AccessRequest request) {
    return control.admit(request);
  }

  public BodyOwners bodyOwners(RecipientId recipient) {
    return check.bodyOwners(recipient);
  }

  public RendezvousAdmin admin() {
    return admin;
  }

  /** Removes expired tokens from memory; never blocks. */
  public void forgetEnded() {
    tokens.removeEnded(wall.instant());
  }

  /** Deletes expired tokens from the database; blocks and logs failures. */
  public void purge() {
    try {
      while (admin.purge(PURGED_AT_ONCE) == PURGED_AT_ONCE) {
        LOG.log(Level.DEBUG, "Many rendezvous tokens have ended");
      }
    } catch (UnavailableException e) {
      LOG.log(Level.WARNING, "Rendezvous tokens that ended are removed later: {0}", e.toString());
    }
  }
}
