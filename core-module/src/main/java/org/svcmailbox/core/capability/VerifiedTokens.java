package org.svcmailbox.core.capability;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.apache.commons.codec.digest.DigestUtils;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.caveat.VerifiedCapability;

/**
 * Caches verified chains. Forged tokens never enter the cache. A holder who narrows a capability
 * endlessly only makes others' chains be verified again. Any thread.
 */
final class VerifiedTokens {
  static final int MOST = 20_000;

  private final Cache<ByteBuffer, VerifiedCapability> cache;

  VerifiedTokens(Duration ttl, LongSupplier nanos) {
    this.cache =
        Caffeine.newBuilder()
            .maximumSize(MOST)
            .ticker(nanos::getAsLong)
            .executor(Runnable::run)
            .expireAfterWrite(ttl)
            .build();
  }

  @Nullable VerifiedCapability find(String token) {
    return cache.getIfPresent(key(token));
  }

  void keep(String token, VerifiedCapability genuine) {
    cache.put(key(token), genuine);
  }

  void purge() {
    cache.invalidateAll();
  }

  long size() {
    return cache.estimatedSize();
  }

  /** A digest, so that the tokens themselves are not kept. */
  private static ByteBuffer key(String token) {
    return ByteBuffer.wrap(DigestUtils.sha256(token.getBytes(StandardCharsets.ISO_8859_1)));
  }
}
