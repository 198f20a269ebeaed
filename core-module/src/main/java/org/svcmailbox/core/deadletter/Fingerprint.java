package org.svcmailbox.core.deadletter;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Locale;
import org.svcmailbox.core.envelope.Blake3;
import org.svcmailbox.core.message.DeadLetterReason;

/** Identifies letters with the same reason and {@link ErrorPattern}: 16 lower-case hex digits. */
public record Fingerprint(long bits) {
  private static final String DOMAIN = "mailbox.fingerprint.v1";
  private static final int DIGITS = 16;

  public static Fingerprint of(DeadLetterReason reason, ErrorPattern pattern) {
    byte[] digest = Blake3.domain(DOMAIN).text(reason.text()).text(pattern.text()).finish().bytes();
    return new Fingerprint(ByteBuffer.wrap(digest).getLong());
  }

  /** Parses the output of {@link #toString}, or throws {@code IllegalArgumentException}. */
  public static Fingerprint parse(String text) {
    if (text.length() != DIGITS || !text.equals(text.toLowerCase(Locale.ROOT))) {
      throw new IllegalArgumentException("a fingerprint has 16 lower-case hex digits");
    }
    return new Fingerprint(HexFormat.fromHexDigitsToLong(text));
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(bits);
  }
}
