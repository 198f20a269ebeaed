package org.svcmailbox.console.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A static file. Its entity tag is a hash of the content: timestamps are the same in every
 * reproducible build, so browsers would keep files of earlier versions.
 */
final class Page {
  private static final String DEFAULT_TYPE = "application/octet-stream";

  private static final Map<String, String> TYPES =
      Map.ofEntries(
          Map.entry("html", "text/html; charset=utf-8"),
          Map.entry("css", "text/css; charset=utf-8"),
          Map.entry("js", "text/javascript; charset=utf-8"),
          Map.entry("mjs", "text/javascript; charset=utf-8"),
          Map.entry("json", "application/json"),
          Map.entry("md", "text/plain; charset=utf-8"),
          Map.entry("txt", "text/plain; charset=utf-8"),
          Map.entry("svg", "image/svg+xml"),
          Map.entry("png", "image/png"),
          Map.entry("ico", "image/x-icon"),
          Map.entry("woff2", "font/woff2"));

  private final String type;
  private final Representation plain;
  private final @Nullable Representation gzip;

  /** One encoding of the file. Callers must not modify the bytes. */
  static final class Representation {
    private final byte[] bytes;
    private final String tag;

    Representation(byte[] bytes, String tag) {
      this.bytes = bytes;
      this.tag = tag;
    }

    byte[] bytes() {
      return bytes;
    }

    /** The quoted entity tag. */
    String tag() {
      return tag;
    }
  }

  private Page(String type, Representation plain, @Nullable Representation gzip) {
    this.type = type;
    this.plain = plain;
    this.gzip = gzip;
  }

  /** Creates the page of a file. The name's extension determines the content type. */
  static Page of(String name, byte[] bytes) {
    String hash = HexFormat.of().formatHex(sha256(bytes), 0, 16);
    Representation plain = new Representation(bytes, '"' + hash + '"');
    byte[] compressed = compress(bytes);
    boolean isSmaller = compressed.length < bytes.length - bytes.length / 8;
    Representation gzip = isSmaller ? new Representation(compressed, '"' + hash + "-gzip\"") : null;
    return new Page(type(name), plain, gzip);
  }

  String type() {
    return type;
  }

  Representation plain() {
    return plain;
  }

  /** The compressed file; empty unless at least an eighth smaller. */
  Optional<Representation> gzip() {
    return Optional.ofNullable(gzip);
  }

  private static String type(String name) {
    return TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), DEFAULT_TYPE);
  }

  static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("SHA-256 is missing", e);
    }
  }

  private static byte[] compress(byte[] bytes) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(compressed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
    return compressed.toByteArray();
  }
}
