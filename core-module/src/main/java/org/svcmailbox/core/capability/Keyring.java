package org.svcmailbox.core.capability;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.svcmailbox.capability.RootKey;
import org.svcmailbox.core.audit.Actor;
import org.svcmailbox.core.audit.AuditEntry;
import org.svcmailbox.core.capability.store.CapabilityStore;
import org.svcmailbox.core.capability.store.CapabilityStore.StoredKey;
import org.svcmailbox.core.capability.store.RootSecret;
import org.svcmailbox.core.problem.SaturatedException;

/**
 * The root keys of this node: configured ones, and made ones that all nodes share. The newest
 * unrevoked made key mints, or else the first configured one. Any thread.
 */
final class Keyring {
  /** The shortest interval between searches for keys that another node made. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private static final Duration LATER = Duration.ofMinutes(1);

  private static final int SECRET_BYTES = 32;

  /** Made keys are never removed. */
  static final int MOST_MADE = 1_000;

  private static final Logger LOG = System.getLogger(Keyring.class.getName());

  private final Map<String, RootKey> configured;
  private final CapabilityStore store;
  private final SecureRandom random;
  private final LongSupplier nanos;
  private final InstantSource wall;
  private final AtomicLong lookedAt;

  /** Every made key that was ever read, by id. A database that falls back gets them again. */
  private final Map<String, StoredKey> known = new ConcurrentHashMap<>();

  private volatile RootKeys keys;

  private Keyring(
      Map<String, RootKey> configured,
      CapabilityStore store,
      SecureRandom random,
      LongSupplier nanos,
      InstantSource wall) {
    this.configured = configured;
    this.store = store;
    this.random = random;
    this.nanos = nanos;
    this.wall = wall;
    this.lookedAt = new AtomicLong(nanos.getAsLong());
    this.keys = read();
  }

  /** Reads the keys, and makes one if none can mint. The first of {@code configured} mints. */
  static Keyring open(
      Map<String, RootKey> configured,
      CapabilityStore store,
      SecureRandom random,
      LongSupplier nanos,
      InstantSource wall) {
    return new Keyring(configured, store, random, nanos, wall);
  }

  /** Finds a key, including one another node has just made. */
  Optional<RootKey> find(String keyId) {
    return keys.find(keyId).or(() -> claimsLook() ? reread().find(keyId) : Optional.empty());
  }

  RootKeys keys() {
    return keys;
  }

  String rotate(Instant now, Function<String, AuditEntry> audit) {
    if (store.keys().size() >= MOST_MADE) {
      throw new SaturatedException(
          "root_keys", "there are " + MOST_MADE + " root keys, which is the most", LATER);
    }
    StoredKey key = make(random, now);
    store.add(key, audit.apply(key.id()));
    reread();
    return key.id();
  }

  /** Reads the keys again, and makes one if none can mint. The last read wins. */
  synchronized RootKeys reread() {
    keys = read();
    return keys;
  }

  private RootKeys read() {
    Map<String, RootKey> all = new LinkedHashMap<>(configured);
    List<StoredKey> made = stored();
    made.forEach(key -> all.put(key.id(), RootKey.of(key.secret().bytes())));
    String current =
        current(made)
            .orElseGet(
                () -> {
                  StoredKey first = makeFirst();
                  all.put(first.id(), RootKey.of(first.secret().bytes()));
                  return first.id();
                });
    return new RootKeys(all, current);
  }

  /** Keys are never removed, so one that the store lacks was lost. */
  private List<StoredKey> stored() {
    List<StoredKey> stored = new ArrayList<>(store.keys());
    Set<String> there = stored.stream().map(StoredKey::id).collect(Collectors.toSet());
    for (StoredKey lost : known.values()) {
      if (!there.contains(lost.id())) {
        store.add(lost, audit(lost, wall.instant(), "again: the database fell back"));
        LOG.log(
            Level.WARNING, "The database fell back: the root key {0} is stored again", lost.id());
        stored.add(lost);
      }
    }
    stored.forEach(key -> known.put(key.id(), key));
    stored.sort(Comparator.comparing(StoredKey::createdAt));
    return stored;
  }

  private static AuditEntry audit(StoredKey key, Instant now, String note) {
    return new AuditEntry(now, Actor.SERVICE, "", "capability.rotate", key.id(), note);
  }

  private StoredKey makeFirst() {
    StoredKey first = make(random, wall.instant());
    store.add(first, audit(first, first.createdAt(), ""));
    LOG.log(Level.INFO, "Made the root key {0}: there was none to mint with", first.id());
    return first;
  }

  private boolean claimsLook() {
    long last = lookedAt.get();
    long now = nanos.getAsLong();
    return now - last >= LOOK_AGAIN.toNanos() && lookedAt.compareAndSet(last, now);
  }

  /** The key to mint with. Checks keys for revocation only until one is found. */
  private Optional<String> current(List<StoredKey> made) {
    List<String> ids = new ArrayList<>();
    made.forEach(key -> ids.add(0, key.id()));
    ids.addAll(configured.keySet());
    return ids.stream().filter(id -> !store.isKeyRevoked(id)).findFirst();
  }

  private static StoredKey make(SecureRandom random, Instant now) {
    byte[] id = new byte[Integer.BYTES];
    random.nextBytes(id);
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return new StoredKey("k-" + HexFormat.of().formatHex(id), new RootSecret(secret), now);
  }
}
