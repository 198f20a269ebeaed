package org.svcmailbox.web.json;

/**
 * Accepts well-formed UTF-8 (Unicode, table 3-7), and JSON whose escapes represent characters. The
 * parser also accepts overlong forms, surrogates in three bytes (CESU-8) and halves of surrogate
 * pairs, so one name could have two spellings. Pure.
 */
final class StrictUtf8 {
  private static final int ESCAPE = 6;
  private static final int RADIX = 16;

  private final byte[] json;
  private final int length;
  private int at;

  private StrictUtf8(byte[] json, int length) {
    this.json = json;
    this.length = length;
  }

  /** Whether the first {@code length} bytes are such text, provided that they are JSON. */
  static boolean isText(byte[] json, int length) {
    StrictUtf8 text = new StrictUtf8(json, length);
    while (text.at < length) {
      byte next = json[text.at];
      if (next >= 0 && next != '\\') {
        text.at++;
      } else if (next < 0 ? !text.isCharacter(next & 0xff) : !text.isEscape()) {
        return false;
      }
    }
    return true;
  }

  /** Skips a character of several bytes; returns whether it is well-formed. */
  private boolean isCharacter(int lead) {
    if (lead >= 0xc2 && lead <= 0xdf) {
      return passes(0x80, 0xbf, 1);
    }
    if (lead >= 0xe0 && lead <= 0xef) {
      return passes(lead == 0xe0 ? 0xa0 : 0x80, lead == 0xed ? 0x9f : 0xbf, 2);
    }
    return lead >= 0xf0
        && lead <= 0xf4
        && passes(lead == 0xf0 ? 0x90 : 0x80, lead == 0xf4 ? 0x8f : 0xbf, 3);
  }

  /**
   * Skips the first byte and {@code more} others; returns whether they are well-formed.
   *
   * @param least allowed value of the second byte
   * @param most allowed value of the second byte
   */
  private boolean passes(int least, int most, int more) {
    if (at + more >= length) {
      return false;
    }
    int second = json[at + 1] & 0xff;
    boolean isWhole = second >= least && second <= most;
    for (int i = 2; i <= more; i++) {
      isWhole &= (json[at + i] & 0xc0) == 0x80;
    }
    at += more + 1;
    return isWhole;
  }

  /**
   * Skips an escape, or both escapes of a surrogate pair. The parser itself refuses malformed ones.
   */
  private boolean isEscape() {
    int unit = unit();
    if (unit < 0) {
      at += 2;
      return true;
    }
    at += ESCAPE;
    if (Character.isHighSurrogate((char) unit)) {
      int low = unit();
      at += ESCAPE;
      return low >= 0 && Character.isLowSurrogate((char) low);
    }
    return !Character.isLowSurrogate((char) unit);
  }

  /** The UTF-16 unit that is escaped here; negative if there is none. */
  private int unit() {
    if (at + ESCAPE > length || json[at] != '\\' || json[at + 1] != 'u') {
      return -1;
    }
    int unit = 0;
    for (int i = 2; i < ESCAPE; i++) {
      int digit = Character.digit(json[at + i], RADIX);
      if (digit < 0) {
        return -1;
      }
      unit = unit * RADIX + digit;
    }
    return unit;
  }
}
