package org.svcmailbox.web.header;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import org.svcmailbox.core.problem.SchemaException;

/**
 * Encodes any text as a header value. Visible ASCII stays unchanged; other text becomes {@code
 * UTF-8''} and percent-encoded bytes (RFC 8187). Header names carry no {@code *}, because proxies
 * silently drop such headers.
 */
public final class HeaderText {
  private static final String EXTENDED = "UTF-8''";
  private static final String UNRESERVED_MARKS = "!#$&+-.^_`|~";
  private static final char QUOTE = '"';
  private static final int RADIX = 16;

  private HeaderText() {}

  public static String encoded(String text) {
    return isPlain(text) ? text : percentEncoded(text);
  }

  /**
   * Decodes a value.
   *
   * @throws SchemaException naming the header
   */
  static String decoded(String header, String value) {
    if (isExtended(value)) {
      return percentDecoded(header, value);
    }
    if (value.isEmpty() || !isVisible(value)) {
      throw new SchemaException(
          header, "must be visible ASCII; other text is " + EXTENDED + " and percent-encoded");
    }
    return value;
  }

  /**
   * Decodes a value; a value in double quotes is an RFC 8941 string.
   *
   * @throws SchemaException naming the header
   */
  static String unquoted(String header, String value) {
    return value.startsWith("" + QUOTE) ? content(header, value) : decoded(header, value);
  }

  private static boolean isPlain(String text) {
    return isVisible(text) && !isExtended(text) && text.charAt(0) != QUOTE;
  }

  private static boolean isVisible(String text) {
    return text.chars().allMatch(c -> c > ' ' && c <= '~');
  }

  private static boolean isExtended(String value) {
    return value.regionMatches(true, 0, EXTENDED, 0, EXTENDED.length());
  }

  private static String percentEncoded(String text) {
    StringBuilder value = new StringBuilder(EXTENDED);
    for (byte octet : text.getBytes(UTF_8)) {
      if (isUnreserved((char) octet)) {
        value.append((char) octet);
      } else {
        value.append(String.format("%%%02X", octet));
      }
    }
    return value.toString();
  }

  private static String percentDecoded(String header, String value) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(value.length());
    for (int i = EXTENDED.length(); i < value.length(); i++) {
      if (value.charAt(i) == '%') {
        octets.write(octet(header, value, i + 1));
        i += 2;
      } else if (isUnreserved(value.charAt(i))) {
        octets.write(value.charAt(i));
      } else {
        throw malformed(header);
      }
    }
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(octets.toByteArray())).toString();
    } catch (CharacterCodingException e) {
      throw malformed(header);
    }
  }

  private static int octet(String header, String value, int at) {
    int high = at < value.length() ? Character.digit(value.charAt(at), RADIX) : -1;
    int low = at + 1 < value.length() ? Character.digit(value.charAt(at + 1), RADIX) : -1;
    if (high < 0 || low < 0) {
      throw malformed(header);
    }
    return high * RADIX + low;
  }

  private static boolean isUnreserved(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || UNRESERVED_MARKS.indexOf(c) >= 0;
  }

  private static SchemaException malformed(String header) {
    return new SchemaException(header, "must be " + EXTENDED + " and percent-encoded UTF-8");
  }

  private static String content(String header, String value) {
    StringBuilder content = new StringBuilder(value.length());
    int last = value.length() - 1;
    int i = 1;
    while (i < last && value.charAt(i) != QUOTE) {
      if (value.charAt(i) == '\\') {
        i++;
        requireEscapable(header, value.charAt(i));
      }
      content.append(value.charAt(i));
      i++;
    }
    if (i != last || value.charAt(last) != QUOTE) {
      throw new SchemaException(header, "is not a string of RFC 8941");
    }
    return content.toString();
  }

  private static void requireEscapable(String header, char c) {
    if (c != QUOTE && c != '\\') {
      throw new SchemaException(header, "is not a string of RFC 8941");
    }
  }
}
