package org.svcmailbox.client.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** An operation that Redis carries out atomically. */
enum Script {
  SEND(true),
  RECEIVE(false),
  ACKNOWLEDGE(true),
  NACK(true),
  EXTEND(true),
  PURGE(true),
  COUNT(false);

  private final boolean promises;
  private final String source;
  private final String hash;

  Script(boolean promises) {
    this.promises = promises;
    this.source = read(name().toLowerCase(Locale.ROOT) + ".lua");
    this.hash = hash(source);
  }

  /** Whether its answer promises that a change is durable. */
  boolean promises() {
    return promises;
  }

  String source() {
    return source;
  }

  /** The name by which Redis knows it once it has run. */
  String hash() {
    return hash;
  }

  private static String read(String file) {
    try (InputStream in = Script.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + file);
      }
      return new String(in.readAllBytes(), US_ASCII);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String hash(String source) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-1").digest(source.getBytes(US_ASCII));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-1", e);
    }
  }
}
