package org.svcmailbox.core.capability;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;

/**
 * Revocations that this node made, or that it read of others, for waiting calls that were admitted
 * earlier, and for a database that falls back to before them. Any thread.
 */
final class RecentRevocations {
  /** Longer than any wait and any caching of a verification. */
  private static final Duration LEAST = Duration.ofMinutes(5);

  private static final int MOST = 10_000;

  /** By nonce: the key that minted the capability, if known. */
  private final Cache<String, Optional<String>> nonces;

  private final Cache<String, Boolean> keys;

  /** {@code outage} is how long the database may be away before it falls back. */
  RecentRevocations(Duration outage, LongSupplier nanos) {
    Duration kept = outage.compareTo(LEAST) < 0 ? LEAST : outage;
    this.nonces = cache(kept, nanos);
    this.keys = cache(kept, nanos);
  }

  private static <V> Cache<String, V> cache(Duration kept, LongSupplier nanos) {
    return Caffeine.newBuilder()
        .maximumSize(MOST)
        .ticker(nanos::getAsLong)
        .executor(Runnable::run)
        .expireAfterWrite(kept)
        .build();
  }

  void nonce(String nonce, @Nullable String keyId) {
    nonces.put(nonce, Optional.ofNullable(keyId));
  }

  /** The keys of the revoked capabilities by nonce. */
  Map<String, Optional<String>> nonces() {
    return Map.copyOf(nonces.asMap());
  }

  /** The revoked keys. */
  Set<String> keys() {
    return Set.copyOf(keys.asMap().keySet());
  }

  void key(String keyId) {
    keys.put(keyId, true);
  }

  boolean contains(CapabilityId id) {
    return nonces.getIfPresent(id.nonce()) != null || keys.getIfPresent(id.keyId()) != null;
  }
}
