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
 * One file as it is served. Its tag is of its content: the time that its archive gives it is the
 * same in every build, and would let browsers keep the pages of an earlier one.
 */
final class Page {
  private static final String BY_DEFAULT = "application/octet-stream";

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
  private final Form plain;
  private final @Nullable Form packed;

  /** The bytes of one form of a file, which are not to be changed. */
  static final class Form {
    private final byte[] bytes;
    private final String tag;

    Form(byte[] bytes, String tag) {
      this.bytes = bytes;
      this.tag = tag;
    }

    byte[] bytes() {
      return bytes;
    }

    /** Its entity tag, in quotation marks. */
    String tag() {
      return tag;
    }
  }

  private Page(String type, Form plain, @Nullable Form packed) {
    this.type = type;
    this.plain = plain;
    this.packed = packed;
  }

  /** The file of this name. */
  static Page of(String name, byte[] bytes) {
    String hash = HexFormat.of().formatHex(sha256(bytes), 0, 16);
    Form plain = new Form(bytes, '"' + hash + '"');
    byte[] gzip = gzip(bytes);
    boolean isWorthIt = gzip.length < bytes.length - bytes.length / 8;
    return new Page(type(name), plain, isWorthIt ? new Form(gzip, '"' + hash + "-gzip\"") : null);
  }

  String type() {
    return type;
  }

  Form plain() {
    return plain;
  }

  /** Compressed, where that makes it smaller. */
  Optional<Form> packed() {
    return Optional.ofNullable(packed);
  }

  private static String type(String name) {
    return TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), BY_DEFAULT);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new IllegalStateException("memory has no I/O", e);
    }
    return packed.toByteArray();
  }
}
