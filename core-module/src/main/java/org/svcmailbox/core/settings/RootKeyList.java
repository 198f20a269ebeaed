package org.svcmailbox.core.settings;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.capability.RootKey;

/** Parses configured root keys. Error messages never show a key. */
final class RootKeyList {
  private static final Pattern FORM = Pattern.compile("\\s*([A-Za-z0-9_-]{1,32})=(\\S+)\\s*");
  private static final int LEAST_BYTES = 32;
  private static final int MOST_BYTES = 64;

  private RootKeyList() {}

  /**
   * Keys by id, in order, from {@code id=base64} elements.
   *
   * @throws RefusedValueException for any other element, or a repeated id
   */
  static Map<String, RootKey> parse(List<String> elements) {
    Map<String, RootKey> keys = new LinkedHashMap<>();
    for (String element : elements) {
      Matcher form = FORM.matcher(element);
      if (!form.matches()) {
        throw new RefusedValueException("has an element that is not id=base64");
      }
      if (keys.put(form.group(1), RootKey.of(secret(form.group(1), form.group(2)))) != null) {
        throw new RefusedValueException("has the id " + form.group(1) + " twice");
      }
    }
    return keys;
  }

  private static byte[] secret(String id, String base64) {
    byte[] secret;
    try {
      secret = Base64.getDecoder().decode(base64.replace('-', '+').replace('_', '/'));
    } catch (IllegalArgumentException e) {
      throw new RefusedValueException("has a key, " + id + ", that is not base64");
    }
    if (secret.length < LEAST_BYTES || secret.length > MOST_BYTES) {
      throw new RefusedValueException(
          "has a key, " + id + ", that is not " + LEAST_BYTES + " to " + MOST_BYTES + " bytes");
    }
    return secret;
  }
}
