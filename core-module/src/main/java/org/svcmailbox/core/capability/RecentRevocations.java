package org.svcmailbox.core.capability;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.svcmailbox.core.capability.caveat.CapabilityId;

/** Revocations of the last minutes, for calls admitted earlier that still wait. Any thread. */
final class RecentRevocations {
  /** Exceeds any wait and any caching of a verification. */
  private static final Duration LONG_ENOUGH = Duration.ofMinutes(5);

  private static final int MOST = 10_000;

  private final Cache<String, Boolean> nonces;
  private final Cache<String, Boolean> keys;

  RecentRevocations(LongSupplier nanos) {
    this.nonces = cache(nanos);
    this.keys = cache(nanos);
  }

  private static Cache<String, Boolean> cache(LongSupplier nanos) {
    return Caffeine.newBuilder()
        .maximumSize(MOST)
        .ticker(nanos::getAsLong)
        .executor(Runnable::run)
        .expireAfterWrite(LONG_ENOUGH)
        .build();
  }

  void nonce(String nonce) {
    nonces.put(nonce, true);
  }

  void key(String keyId) {
    keys.put(keyId, true);
  }

  boolean contains(CapabilityId id) {
    return nonces.getIfPresent(id.nonce()) != null || keys.getIfPresent(id.keyId()) != null;
  }
}
