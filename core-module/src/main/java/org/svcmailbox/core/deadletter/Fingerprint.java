package org.svcmailbox.core.deadletter;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;
import org.svcmailbox.core.envelope.Blake3;

/**
 * Identifies letters with the same {@link ErrorPattern}: 16 lower-case hex digits, of which the
 * first is the version of the rules.
 */
public record Fingerprint(long bits) implements Comparable<Fingerprint> {
  /** The first one of this version. */
  public static final long LOWEST = 0x2000_0000_0000_0000L;

  /** The last one of this version. */
  public static final long HIGHEST = 0x2FFF_FFFF_FFFF_FFFFL;

  private static final String DOMAIN = "mailbox.fingerprint.v2";
  private static final int DIGITS = 16;

  public static Fingerprint of(ErrorPattern pattern) {
    byte[] digest = Blake3.domain(DOMAIN).text(pattern.text()).finish().bytes();
    return new Fingerprint(LOWEST | ByteBuffer.wrap(digest).getLong() >>> 4);
  }

  /** Whether the rules of this version made it. */
  public boolean isCurrent() {
    return bits >= LOWEST && bits <= HIGHEST;
  }

  /** Parses one of any version, or throws {@code IllegalArgumentException}. */
  public static Fingerprint parse(String text) {
    if (text.length() != DIGITS || !text.equals(text.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException("a fingerprint has 16 lower-case hex digits");
    }
    return new Fingerprint(HexFormat.fromHexDigitsToLong(text));
  }

  @Override
  public int compareTo(Fingerprint other) {
    return Long.compareUnsigned(bits, other.bits);
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(bits);
  }
}
