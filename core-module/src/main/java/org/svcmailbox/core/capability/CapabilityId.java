package org.svcmailbox.core.capability;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a capability's identifier says: which root key it was minted with, and which one it is.
 * Public, and the same for everything that is narrowed from it, so revoking it revokes all of
 * those.
 *
 * @param keyId 1 to 32 letters, digits, {@code _} and {@code -}
 * @param nonce 32 hex digits
 */
public record CapabilityId(String keyId, String nonce) {
  /** Random bytes of a nonce. */
  public static final int NONCE_BYTES = 16;

  private static final String FORM = "mb1:%s:%s";
  private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9_-]{1,32}");
  private static final Pattern NONCE = Pattern.compile("[0-9a-f]{32}");
  private static final Pattern TEXT = Pattern.compile("mb1:([^:]*):([^:]*)");

  public CapabilityId {
    if (!KEY_ID.matcher(keyId).matches() || !NONCE.matcher(nonce).matches()) {
      throw new MalformedCapabilityException("its identifier is not one of this service's");
    }
  }

  /** The identifier with this nonce. */
  public static CapabilityId of(String keyId, byte[] nonce) {
    return new CapabilityId(keyId, HexFormat.of().formatHex(nonce));
  }

  /**
   * Reads what {@link #bytes} wrote.
   *
   * @throws MalformedCapabilityException when it is anything else
   */
  static CapabilityId ofBytes(byte[] bytes) {
    Matcher text = TEXT.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    if (!text.matches()) {
      throw new MalformedCapabilityException("its identifier is not one of this service's");
    }
    return new CapabilityId(text.group(1), text.group(2));
  }

  byte[] bytes() {
    return FORM.formatted(keyId, nonce).getBytes(StandardCharsets.US_ASCII);
  }
}
