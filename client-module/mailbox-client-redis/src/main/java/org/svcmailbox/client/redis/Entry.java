package org.svcmailbox.client.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

/**
 * The name of a message in all four keys: its key if it has one, so that a second send finds the
 * first; otherwise its id.
 */
record Entry(String name) {
  private static final String KEYED = "k:";
  private static final String UNKEYED = "i:";

  static Entry of(@Nullable String key, String id) {
    return new Entry(key != null ? KEYED + key : UNKEYED + id);
  }

  static Entry of(byte[] name) {
    return new Entry(new String(name, UTF_8));
  }

  @Nullable String key() {
    return name.startsWith(KEYED) ? name.substring(KEYED.length()) : null;
  }

  byte[] bytes() {
    return name.getBytes(UTF_8);
  }
}
