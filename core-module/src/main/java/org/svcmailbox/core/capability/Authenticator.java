package org.svcmailbox.core.capability;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller.Standing;
import org.svcmailbox.core.capability.Verification.Genuine;
import org.svcmailbox.core.capability.Verification.Refused;
import org.svcmailbox.core.capability.VerifiedTokens.Verified;
import org.svcmailbox.core.capability.caveat.Capability;
import org.svcmailbox.core.capability.caveat.CapabilityId;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Turns tokens into callers: checks the chain, then revocation, and caches the result for {@code
 * cap_cache_ttl}. Tokens that are not genuine are never cached or looked up. Any thread.
 */
final class Authenticator implements Caller.Watch {
  private static final Logger LOG = System.getLogger(Authenticator.class.getName());

  private final CapabilityVerifier verifier;
  private final CapabilityStore store;
  private final VerifiedTokens verified;
  private final RecentRevocations revoked;
  private final DenialSpike spike;
  private final LongSupplier nanos;
  private final InstantSource wall;
  private final AtomicLong purges = new AtomicLong();

  Authenticator(
      Keyring keys, CapabilityStore store, Duration ttl, LongSupplier nanos, InstantSource wall) {
    this.verifier = new CapabilityVerifier(keys::find);
    this.store = store;
    this.verified = new VerifiedTokens(ttl, nanos, wall);
    this.revoked = new RecentRevocations(nanos);
    this.spike = new DenialSpike(nanos.getAsLong());
    this.nanos = nanos;
    this.wall = wall;
  }

  /**
   * Authenticates {@code token}, which is null when the call has none.
   *
   * @throws DeniedException when it is no capability of this service
   */
  Caller authenticate(@Nullable String token, @Nullable InetAddress address) {
    if (token == null) {
      denied();
      throw DeniedException.missing();
    }
    Verified known = verified.find(token);
    return known != null ? caller(known, address) : look(token, address);
  }

  private Caller look(String token, @Nullable InetAddress address) {
    Capability capability = genuine(token);
    try {
      long asked = nanos.getAsLong();
      Verified found = new Verified(capability, store.isRevoked(capability.id()), asked);
      verified.keep(token, found);
      return caller(found, address);
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "Revocation of {0} is unknown: {1}", capability.id(), e.toString());
      return new Caller(capability, Standing.UNVERIFIED, address, this);
    }
  }

  private Caller caller(Verified found, @Nullable InetAddress address) {
    Standing standing = found.isRevoked() ? Standing.REVOKED : Standing.GOOD;
    return new Caller(found.capability(), standing, address, this);
  }

  /** Reads a token, ignoring revocation. */
  Capability genuine(String token) {
    Verification found = verifier.verify(token);
    if (found instanceof Genuine genuine) {
      return genuine.capability();
    }
    if (found instanceof Refused refused) {
      LOG.log(Level.DEBUG, "A token is refused: {0}", refused.why().text());
    }
    denied();
    throw DeniedException.invalid();
  }

  /** Records a revocation on this node; it affects every later check. */
  void revoked(String nonce) {
    revoked.nonce(nonce);
    verified.purge();
  }

  void keyRevoked(String keyId) {
    revoked.key(keyId);
    verified.purge();
  }

  @Override
  public boolean isRevoked(CapabilityId id) {
    return revoked.contains(id);
  }

  @Override
  public void denied() {
    if (spike.countDenial(nanos.getAsLong())) {
      purges.incrementAndGet();
      verified.purge();
      LOG.log(Level.WARNING, "Many calls are denied: every capability is verified anew");
    }
  }

  @Override
  public Instant now() {
    return wall.instant();
  }

  long cached() {
    return verified.size();
  }

  /** How often a spike of denials cleared the cache. */
  long purges() {
    return purges.get();
  }
}
