package org.svcmailbox.core.topic;

import java.nio.charset.StandardCharsets;

/**
 * FNV-1a over UTF-8 with a final mix. It is part of the data format, because it decides where
 * messages are stored.
 */
final class StableHash {
  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private StableHash() {}

  /** A value from 0 to {@link Integer#MAX_VALUE}. */
  static int of(String first, String second) {
    long hash = add(OFFSET, first);
    hash = (hash ^ 0xff) * PRIME;
    return mixed(add(hash, second));
  }

  private static long add(long hash, String text) {
    long h = hash;
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      h = (h ^ (b & 0xff)) * PRIME;
    }
    return h;
  }

  private static int mixed(long hash) {
    long h = hash ^ (hash >>> 33);
    h *= 0xff51afd7ed558ccdL;
    h ^= h >>> 33;
    return (int) (h & Integer.MAX_VALUE);
  }
}
