package org.svcmailbox.core.capability;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.capability.Caller.Standing;
import org.svcmailbox.core.capability.RevocationBelief.Belief;
import org.svcmailbox.core.capability.Verification.Genuine;
import org.svcmailbox.core.capability.Verification.Refused;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.capability.store.CapabilityStore;

/**
 * Turns tokens into callers: verifies the chain, then checks for revocation. Tokens that are not
 * genuine are never cached or looked up. Any thread.
 */
final class Authenticator implements Caller.Watch, BodyOwners {
  private static final String DENIED = "capability.denied";
  private static final Logger LOG = System.getLogger(Authenticator.class.getName());

  private final CapabilityVerifier verifier;
  private final VerifiedTokens verified;
  private final RevocationBelief belief;
  private final RecentRevocations revoked;
  private final DenialSpike denials;
  private final DenialSpike strangers;
  private final LongSupplier nanos;
  private final InstantSource wall;
  private final AtomicLong purges = new AtomicLong();
  private final DenialCounts counts = new DenialCounts();

  Authenticator(
      Keyring keys,
      CapabilityStore store,
      BeliefTerms terms,
      LongSupplier nanos,
      InstantSource wall) {
    this.verifier = new CapabilityVerifier(keys::find);
    this.verified = new VerifiedTokens(terms.fresh(), nanos);
    this.revoked = new RecentRevocations(terms.outage(), nanos);
    this.belief = new RevocationBelief(store::answer, revoked, terms, nanos);
    this.denials = new DenialSpike(nanos.getAsLong());
    this.strangers = new DenialSpike(nanos.getAsLong());
    this.nanos = nanos;
    this.wall = wall;
  }

  /**
   * Authenticates {@code token}, which is null if the call has none.
   *
   * @throws DeniedException if it is not a capability of this service
   */
  Caller authenticate(@Nullable String token, @Nullable InetAddress address) {
    VerifiedCapability capability = genuine(token, address);
    BearerToken shown = new BearerToken(requireNonNull(token));
    Belief known = belief.belief(capability.id());
    return new Caller(capability, shown, known.standing(), known.name(), address, this);
  }

  private VerifiedCapability genuine(@Nullable String token, @Nullable InetAddress address) {
    try {
      if (token == null) {
        strange();
        throw DeniedException.missing();
      }
      return cached(token);
    } catch (DeniedException e) {
      counts.count(DenialCounts.STRANGER, address, DENIED, e.reason());
      throw e;
    }
  }

  private VerifiedCapability cached(String token) {
    VerifiedCapability known = verified.find(token);
    if (known != null) {
      return known;
    }
    VerifiedCapability genuine = genuine(token);
    verified.keep(token, genuine);
    return genuine;
  }

  @Override
  public @Nullable String known(@Nullable String token) {
    VerifiedCapability known = token == null ? null : verified.find(token);
    Standing standing = known == null ? null : belief.fresh(known.id());
    return known == null || standing == null ? null : owner(known, standing);
  }

  @Override
  public @Nullable String find(@Nullable String token) {
    VerifiedCapability known = token == null ? null : verified.find(token);
    if (token != null && known == null && verifier.verify(token) instanceof Genuine genuine) {
      known = genuine.capability();
      verified.keep(token, known);
    }
    return known == null ? null : owner(known, belief.belief(known.id()).standing());
  }

  private String owner(VerifiedCapability capability, Standing standing) {
    Instant now = wall.instant();
    boolean hasEnded = capability.expires().filter(end -> !now.isBefore(end)).isPresent();
    return standing == Standing.GOOD && !hasEnded ? capability.id().nonce() : ANYONE;
  }

  /** Reads a token, ignoring revocation. */
  VerifiedCapability genuine(String token) {
    Verification found = verifier.verify(token);
    if (found instanceof Genuine genuine) {
      return genuine.capability();
    }
    if (found instanceof Refused refused) {
      LOG.log(Level.DEBUG, "A token is refused: {0}", refused.why().text());
    }
    strange();
    throw DeniedException.invalid();
  }

  /** This node's knowledge about revocations. */
  RevocationBelief belief() {
    return belief;
  }

  /** Records a revocation on this node; it affects every later check. */
  void revoked(String nonce, @Nullable String keyId) {
    revoked.nonce(nonce, keyId);
    doubt(nonce);
  }

  void keyRevoked(String keyId) {
    revoked.key(keyId);
    doubtKey(keyId);
  }

  /**
   * Records that a revocation may have happened: the capability is good only once the store says
   * so.
   */
  void doubt(String nonce) {
    belief.forget(id -> id.nonce().equals(nonce));
  }

  void doubtKey(String keyId) {
    belief.forget(id -> id.keyId().equals(keyId));
  }

  /** Records what other nodes revoked. */
  void revoked(CapabilityStore.Revocations others) {
    others.nonces().forEach((nonce, keyId) -> revoked.nonce(nonce, keyId.orElse(null)));
    others.keys().forEach(revoked::key);
    belief.forget(
        id -> others.nonces().containsKey(id.nonce()) || others.keys().contains(id.keyId()));
  }

  RecentRevocations recentRevocations() {
    return revoked;
  }

  @Override
  public boolean isRevoked(CapabilityId id) {
    return revoked.contains(id);
  }

  /** Denied calls and failed sign-ins that are not yet in the audit. */
  DenialCounts counts() {
    return counts;
  }

  /**
   * Counts a denial. Time and outages explain some; a burst of others may mean that this node
   * missed a change.
   */
  @Override
  public void denied(Caller caller, Denial why) {
    counts.count(caller.actor(), caller.address(), DENIED, why.text());
    if (why.isByRight() && denials.countDenial(nanos.getAsLong())) {
      purges.incrementAndGet();
      verified.purge();
      belief.refresh();
      LOG.log(Level.WARNING, "Many calls of known capabilities are denied: each is verified again");
    }
  }

  /** Only warns: if this cleared the cache, anybody could clear it. */
  private void strange() {
    if (strangers.countDenial(nanos.getAsLong())) {
      LOG.log(Level.WARNING, "Many calls come without a genuine capability");
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
