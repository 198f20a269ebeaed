package org.svcmailbox.capability;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A root key's id (1 to 32 letters, digits, {@code _} and {@code -}) and a nonce (32 hex digits).
 * Everything narrowed from a capability shares its id, so a revocation covers it. Public.
 */
public record CapabilityId(String keyId, String nonce) {
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

  public static CapabilityId of(String keyId, byte[] nonce) {
    return new CapabilityId(keyId, HexFormat.of().formatHex(nonce));
  }

  /**
   * Throws {@link MalformedCapabilityException} if {@code bytes} does not have the form of {@link
   * #bytes}.
   */
  public static CapabilityId ofBytes(byte[] bytes) {
    Matcher text = TEXT.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
    if (!text.matches()) {
      throw new MalformedCapabilityException("its identifier is not one of this service's");
    }
    return new CapabilityId(text.group(1), text.group(2));
  }

  public byte[] bytes() {
    return FORM.formatted(keyId, nonce).getBytes(StandardCharsets.US_ASCII);
  }
}
