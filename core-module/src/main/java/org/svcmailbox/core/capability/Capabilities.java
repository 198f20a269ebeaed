package org.svcmailbox.core.capability;

import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Access;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Caveat;
import org.svcmailbox.capability.Macaroon;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.audit.AuditFilter;
import org.svcmailbox.core.audit.AuditRow;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.ListedCapability;
import org.svcmailbox.core.capability.store.Minting;
import org.svcmailbox.core.health.Part;
import org.svcmailbox.core.health.Vital;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.settings.FairShare;

/** The capabilities of one node: its keys, its token cache and the operators' calls. */
public final class Capabilities
    implements CapabilityService, PeerCapabilities, AuditService, MetricSource {
  /** Limits of a requested lifetime. */
  static final Duration SHORTEST = Duration.ofSeconds(1);

  static final Duration LONGEST = Duration.ofDays(3_650);

  /** Names the holder of the file {@code operator.cap}. */
  private static final String OPERATOR_NOTE = "operator.cap";

  private static final String MAX_MINTED = "max_minted";
  private static final String BELIEFS = "capability_beliefs";

  /** When to retry, although only an operator can make room. */
  private static final Duration LATER = Duration.ofMinutes(1);

  private final CapabilityStore store;
  private final SecureRandom random;
  private final InstantSource wall;
  private final int maxRevoked;
  private final int maxMinted;
  private final FairShare share;
  private final Keyring keys;
  private volatile long mintings;
  private final CallRates rates;
  private final Authenticator authenticator;
  private volatile @Nullable PeerToken peerToken;

  /**
   * A token of this node.
   *
   * @param keyId of the key that it is minted with
   * @param renewal when the next one is due
   */
  private record PeerToken(BearerToken token, String keyId, Instant renewal) {
    boolean isGood(String current, Instant now) {
      return keyId.equals(current) && now.isBefore(renewal);
    }
  }

  /**
   * The configured limits.
   *
   * @param rootKeys by id; the first one mints; may be empty
   * @param cacheTtl how long a verification counts
   * @param outageTtl how long it counts while the store is away; at least {@code cacheTtl}
   * @param share the part of {@code maxMinted} that one capability may mint
   * @param perAddress calls per second from one address; 0 means unlimited
   * @param buckets the most addresses, and the most capabilities, that are counted at once
   */
  public record Terms(
      Map<String, RootKey> rootKeys,
      Duration cacheTtl,
      Duration outageTtl,
      int maxRevoked,
      int maxMinted,
      FairShare share,
      int perAddress,
      int buckets) {}

  /** The ports; {@code nanos} is a monotonic clock. */
  public record Ports(
      CapabilityStore store, SecureRandom random, LongSupplier nanos, InstantSource wall) {}

  /** Reads the root keys, and makes one if none can mint. */
  public Capabilities(Terms terms, Ports ports) {
    this.store = ports.store();
    this.random = ports.random();
    this.wall = ports.wall();
    this.maxRevoked = terms.maxRevoked();
    this.maxMinted = terms.maxMinted();
    this.share = terms.share();
    this.keys = Keyring.open(terms.rootKeys(), store, random, ports.nanos(), wall);
    this.mintings = store.mintings();
    this.rates = new CallRates(terms.perAddress(), terms.buckets(), ports.nanos());
    BeliefTerms belief = new BeliefTerms(terms.cacheTtl(), terms.outageTtl());
    this.authenticator = new Authenticator(keys, store, belief, ports.nanos(), wall);
  }

  @Override
  public Caller authenticate(@Nullable String token, @Nullable InetAddress address) {
    rates.count(address);
    Caller caller = authenticator.authenticate(token, address);
    rates.count(caller.capability());
    return caller;
  }

  @Override
  public BearerToken peerToken() {
    Instant now = wall.instant();
    // Another one, because others refuse what a revoked key has minted.
    String keyId = keys.keys().current();
    PeerToken known = peerToken;
    if (known == null || !known.isGood(keyId, now)) {
      Instant end = now.plus(PeerCapability.LIFE);
      String text = token(PeerCapability.id(keyId), PeerCapability.caveats(end));
      Instant renewal = now.plus(PeerCapability.LIFE.dividedBy(2));
      known = new PeerToken(new BearerToken(text), keyId, renewal);
      peerToken = known;
    }
    return known.token();
  }

  @Override
  public void requirePeer(@Nullable String token, @Nullable InetAddress address) {
    authenticator.authenticate(token, address).requirePeer();
  }

  @Override
  public Caller authenticateForwarded(BearerToken token, @Nullable InetAddress client) {
    return authenticator.authenticate(token.value(), client);
  }

  @Override
  public void countCall(Caller caller) {
    rates.count(caller.capability());
  }

  @Override
  public BodyOwners bodyOwners() {
    return authenticator;
  }

  /**
   * Mints an unrestricted operator capability, unless {@code before} is still valid or empty. An
   * operator who empties the file wants none.
   */
  public Optional<String> operatorCapability(Optional<String> before) {
    if (before.filter(text -> text.isEmpty() || isGood(text)).isPresent()) {
      return Optional.empty();
    }
    CapabilityId id = nextId();
    Instant now = wall.instant();
    mint(
        new Minting(id, List.of(), Actor.SERVICE, now, null, OPERATOR_NOTE),
        new AuditEntry(now, Actor.SERVICE, "", "capability.mint", id.nonce(), OPERATOR_NOTE));
    return Optional.of(keys.keys().mint(id).token());
  }

  /**
   * Writes the counts of denied calls and failed sign-ins into the audit. It can be repeated.
   *
   * @throws UnavailableException if the database is away
   */
  public void noteDenials() {
    authenticator.counts().writeTo(store, wall.instant());
  }

  /** Mints for users of the console. */
  public ConsoleCapabilities forConsole(ConsoleTerms terms) {
    return new ConsoleCapabilities(
        new ConsoleCapabilities.Rights(
            this::nextId, this::token, this::mint, this::end, this::issue),
        store,
        authenticator.counts(),
        wall,
        terms);
  }

  /** In memory first. A database that is away gets the revocations when it returns. */
  private void end(List<CapabilityId> held, Function<CapabilityId, AuditEntry> entry) {
    held.forEach(id -> authenticator.revoked(id.nonce(), id.keyId()));
    held.forEach(id -> store.revoke(id.nonce(), id.keyId(), entry.apply(id)));
  }

  /** Asks the store itself, because no caller has used the capability yet. */
  private boolean isGood(String token) {
    try {
      VerifiedCapability before = authenticator.genuine(token);
      Access any = new Access(Operation.ADMIN, null, null, null, null, wall.instant());
      return before.denials(any).findAny().isEmpty() && !store.isRevoked(before.id());
    } catch (DeniedException e) {
      return false;
    }
  }

  @Override
  public Minted mint(Caller operator, List<String> caveats, Duration life, @Nullable String note) {
    operator.require(Operation.ADMIN, null);
    requireKnown(caveats);
    requireLife(life);
    return issue(Issuer.of(operator), caveats, life, note);
  }

  private Minted issue(Issuer by, List<String> caveats, Duration life, @Nullable String note) {
    Instant now = wall.instant();
    requireRoom(by, now);
    Instant end = now.plus(life).truncatedTo(ChronoUnit.MILLIS);
    List<String> all = new ArrayList<>(by.caveats());
    all.addAll(caveats);
    all.add("expires < " + end);
    CapabilityId id = nextId();
    String token = token(id, all);
    VerifiedCapability minted = authenticator.genuine(token);
    if (minted.hasTooMany()) {
      throw new SchemaException(
          "caveats", "with the caller's own: " + Denial.TOO_MANY_CAVEATS.detail());
    }
    Instant expires = minted.expires().orElse(end);
    AuditEntry entry = by.audit().entry(now, id.nonce(), described(all, note));
    mint(new Minting(id, all, by.actor(), now, expires, note), entry);
    return new Minted(token, id, expires);
  }

  private static String described(List<String> caveats, @Nullable String note) {
    String text = String.join("; ", caveats);
    return note == null ? text : text + "; note: " + note;
  }

  /** Records the minted capability as good, so that this node need not look it up. */
  private void mint(Minting minting, AuditEntry entry) {
    authenticator.belief().minted(minting.id(), minting.name(), () -> store.mint(minting, entry));
  }

  @Override
  public Revoked revoke(Caller operator, Revocation what) {
    Instant now = wall.instant();
    if (what instanceof Revocation.OfKey key) {
      operator.require(Operation.ADMIN, null);
      revokeKey(operator, now, key.keyId());
      return new Revoked(Operation.ADMIN, key.keyId(), id -> id.keyId().equals(key.keyId()));
    }
    operator.require(Operation.REVOKE, null);
    if (what instanceof Revocation.OfCapability secret) {
      CapabilityId id = ours(secret.token()).id();
      revokeNonce(operator, now, id.nonce(), id.keyId());
      return new Revoked(Operation.REVOKE, id.nonce(), id::equals);
    }
    String nonce = ((Revocation.OfNonce) what).nonce();
    revokeNonce(operator, now, nonce, null);
    return new Revoked(Operation.REVOKE, nonce, id -> id.nonce().equals(nonce));
  }

  @Override
  public String rotate(Caller operator) {
    Instant now = wall.instant();
    operator.require(Operation.ADMIN, null);
    return keys.rotate(now, keyId -> operator.audit(now, "capability.rotate", keyId, ""));
  }

  @Override
  public CapabilityPage list(Caller operator, ListedCapability.Kind kind, String after, int limit) {
    operator.require(Operation.AUDIT, null);
    List<ListedCapability> behind = store.list(kind, after, limit + 1, wall.instant());
    List<ListedCapability> page = behind.subList(0, Math.min(limit, behind.size()));
    boolean isLast = page.size() == behind.size();
    return new CapabilityPage(page, isLast ? null : page.get(limit - 1).subject());
  }

  @Override
  public List<AuditRow> audit(Caller operator, AuditFilter wanted, long after, int limit) {
    operator.require(Operation.AUDIT, null);
    return store.audit(wanted, after, limit);
  }

  /**
   * Writes the root keys of this node and its recent revocations into a database that may have
   * fallen back. It can be repeated.
   */
  public void restore() {
    String current = keys.reread().current();
    RecentRevocations recent = authenticator.recentRevocations();
    recent.nonces().forEach((nonce, keyId) -> restore(new CapabilityId(current, nonce), keyId));
    recent.keys().stream().filter(keyId -> !store.isKeyRevoked(keyId)).forEach(this::restoreKey);
  }

  private void restore(CapabilityId id, Optional<String> keyId) {
    if (!store.isRevoked(id)) {
      store.revoke(id.nonce(), keyId.orElse(null), again("capability.revoke", id.nonce()));
    }
  }

  private void restoreKey(String keyId) {
    store.revokeKey(keyId, again("capability.revoke_key", keyId));
  }

  private AuditEntry again(String action, String subject) {
    return new AuditEntry(
        wall.instant(), Actor.SERVICE, "", action, subject, "again: the database fell back");
  }

  /** Takes over what other nodes revoke; for a node of a cluster. */
  public RevocationFollower follower() {
    return new RevocationFollower(store, keys, authenticator);
  }

  public long buckets() {
    return rates.buckets();
  }

  public long cached() {
    return authenticator.cached();
  }

  /** Whether any capability can be verified or believed. */
  public Vital vital(Vital database) {
    if (database.up()) {
      return Vital.up(Part.CAPABILITIES);
    }
    RevocationBelief belief = authenticator.belief();
    long bound = belief.outage().toSeconds();
    return belief
        .left()
        .map(left -> new Vital(Part.CAPABILITIES, true, believed(bound, left.toSeconds())))
        .orElseGet(() -> Vital.down(Part.CAPABILITIES, unverified(bound)));
  }

  private static String believed(long bound, long left) {
    return ("the database is away: capabilities verified within the last %d s are believed, for"
            + " %d s at most; a revocation made elsewhere meanwhile is not seen")
        .formatted(bound, left);
  }

  private static String unverified(long bound) {
    return "the database is away and no capability was verified within the last %d s"
        .formatted(bound);
  }

  /** How often a spike of denials cleared the cache. */
  public long purges() {
    return authenticator.purges();
  }

  /** The number of mintings is as of the last minting. Only the database counts revocations. */
  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.CAPABILITY_CACHE_SIZE.of(this::cached),
        Family.CAPABILITY_CACHE_PURGES_TOTAL.of(this::purges),
        Family.CAPABILITY_BELIEVED_TOTAL.of(authenticator.belief()::stale),
        Family.RATE_BUCKETS.of(this::buckets),
        Family.BOUND_USED.of(() -> mintings, MAX_MINTED),
        Family.BOUND_CAPACITY.of(() -> maxMinted, MAX_MINTED),
        Family.BOUND_USED.of(authenticator.belief()::size, BELIEFS),
        Family.BOUND_CAPACITY.of(() -> RevocationBelief.MOST, BELIEFS));
  }

  private CapabilityId nextId() {
    byte[] nonce = new byte[CapabilityId.NONCE_BYTES];
    random.nextBytes(nonce);
    // Another node may have rotated the keys and revoked ours.
    return CapabilityId.of(keys.reread().current(), nonce);
  }

  private String token(CapabilityId id, List<String> caveats) {
    Macaroon macaroon = keys.keys().mint(id);
    try {
      for (String caveat : caveats) {
        macaroon = macaroon.narrowedBy(caveat);
      }
    } catch (IllegalArgumentException e) {
      throw new SchemaException("caveats", "with the caller's own: " + e.getMessage());
    }
    String token = macaroon.token();
    if (token.length() > Macaroon.MOST_CHARACTERS) {
      throw new SchemaException("caveats", "make the capability too long");
    }
    return token;
  }

  private static void requireKnown(List<String> caveats) {
    List<FieldViolation> unknown = new ArrayList<>();
    for (int i = 0; i < caveats.size(); i++) {
      if (!Caveat.isKnown(caveats.get(i))) {
        unknown.add(new FieldViolation("caveats[" + i + "]", "is not a caveat"));
      }
    }
    if (!unknown.isEmpty()) {
      throw new SchemaException(unknown);
    }
  }

  private void requireRoom(Issuer by, Instant now) {
    mintings = store.mintings();
    if (mintings >= maxMinted) {
      throw full("too many capabilities have not expired; rotate, and revoke the old key instead");
    }
    if (!share.allows(maxMinted, mintings + 1, store.mintingsBy(by.actor().id(), now), 1)) {
      throw full("the minter has used its share, and others need the rest");
    }
  }

  private static SaturatedException full(String detail) {
    return new SaturatedException(MAX_MINTED, detail, LATER);
  }

  private static void requireLife(Duration life) {
    if (life.compareTo(SHORTEST) < 0 || life.compareTo(LONGEST) > 0) {
      throw new SchemaException("expires_in", "must be between 1s and 3650d");
    }
  }

  private VerifiedCapability ours(String token) {
    try {
      return authenticator.genuine(token);
    } catch (DeniedException e) {
      throw new SchemaException("capability", "is no capability of this service");
    }
  }

  private void revokeNonce(Caller operator, Instant now, String nonce, @Nullable String keyId) {
    try {
      storeNonce(operator, now, nonce, keyId);
    } catch (UnavailableException e) {
      authenticator.doubt(nonce);
      throw e;
    }
    authenticator.revoked(nonce, keyId);
  }

  private void storeNonce(Caller operator, Instant now, String nonce, @Nullable String keyId) {
    // The current key is not revoked, so this only tests the nonce.
    boolean isNew = !store.isRevoked(new CapabilityId(keys.reread().current(), nonce));
    if (isNew && store.revocations() >= maxRevoked) {
      throw new SaturatedException(
          "max_revoked",
          "too many revocations are kept; rotate, and revoke the old key instead",
          LATER);
    }
    store.revoke(nonce, keyId, operator.audit(now, "capability.revoke", nonce, ""));
  }

  private void revokeKey(Caller operator, Instant now, String keyId) {
    try {
      storeKey(operator, now, keyId);
    } catch (UnavailableException e) {
      authenticator.doubtKey(keyId);
      throw e;
    }
    authenticator.keyRevoked(keyId);
    keys.reread();
  }

  private void storeKey(Caller operator, Instant now, String keyId) {
    if (!keys.reread().has(keyId)) {
      throw new NotFoundException("there is no root key " + keyId);
    }
    if (keys.keys().current().equals(keyId)) {
      throw new SchemaException("key_id", "is the key that is minted with: rotate first");
    }
    store.revokeKey(keyId, operator.audit(now, "capability.revoke_key", keyId, ""));
  }
}
