package org.svcmailbox.core.capability;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.caveat.Capability;
import org.svcmailbox.core.capability.caveat.Quota;

/**
 * A cache of genuine tokens and their revocation. Forged tokens never enter it, so they cannot
 * evict others. Any thread.
 */
final class VerifiedTokens {
  /** A result as of {@code asked}, on the monotonic clock; later revocations are missing. */
  record Verified(Capability capability, boolean isRevoked, long asked) {}

  static final int MOST = 20_000;

  private final Cache<ByteBuffer, Verified> cache;

  /**
   * @param ttl how long a result is valid from {@code asked}; never beyond the capability's expiry
   */
  VerifiedTokens(Duration ttl, LongSupplier nanos, InstantSource wall) {
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(MOST)
            .ticker(nanos::getAsLong)
            .executor(Runnable::run)
            .expireAfter(
                Expiry.creating(
                    (ByteBuffer token, Verified found) ->
                        life(found, ttl.minusNanos(nanos.getAsLong() - found.asked()), wall)))
            .build();
  }

  private static Duration life(Verified found, Duration most, InstantSource wall) {
    Duration life =
        found
            .capability()
            .expires()
            .map(end -> Duration.between(wall.instant(), end))
            .filter(left -> left.compareTo(most) < 0)
            .orElse(most);
    return life.isNegative() ? Duration.ZERO : life;
  }

  @Nullable Verified find(String token) {
    return cache.getIfPresent(key(token));
  }

  void keep(String token, Verified found) {
    cache.put(key(token), found);
  }

  void purge() {
    cache.invalidateAll();
  }

  long size() {
    return cache.estimatedSize();
  }

  /** A digest, so that the tokens themselves are not kept. */
  private static ByteBuffer key(String token) {
    return ByteBuffer.wrap(Quota.sha256().digest(token.getBytes(StandardCharsets.ISO_8859_1)));
  }
}
