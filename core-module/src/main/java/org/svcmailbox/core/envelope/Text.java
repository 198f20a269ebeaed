package org.svcmailbox.core.envelope;

import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.svcmailbox.core.problem.SchemaException;

/** Checks that text from clients is bounded and encodable as UTF-8. */
public final class Text {
  private Text() {}

  /**
   * Returns {@code value} if it has {@code min} to {@code max} characters and no lone surrogate.
   */
  static String checked(String field, String value, int min, int max) {
    if (value.length() < min || value.length() > max) {
      throw new SchemaException(field, "must have " + min + " to " + max + " characters");
    }
    if (!isEncodable(value)) {
      throw new SchemaException(field, "is not well-formed Unicode");
    }
    return value;
  }

  /**
   * Whether {@code value} has 1 to {@code max} characters, each a letter or digit of ASCII or one
   * of {@code others}. Every message has several such values, and a pattern takes twenty times as
   * long.
   */
  public static boolean isName(String value, int max, String others) {
    boolean isName = !value.isEmpty() && value.length() <= max;
    for (int i = 0; isName && i < value.length(); i++) {
      char c = value.charAt(i);
      isName = isAlphanumeric(c) || others.indexOf(c) >= 0;
    }
    return isName;
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static boolean isEncodable(String value) {
    for (int i = 0; i < value.length(); i++) {
      if (Character.isSurrogate(value.charAt(i))) {
        return encodes(value);
      }
    }
    return true;
  }

  private static boolean encodes(String value) {
    try {
      StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }
}
