package org.svcmailbox.undertow.framing;

/**
 * Follows a request target character by character. It refuses what Undertow's parser would refuse
 * with an empty answer: characters that no URI has, broken percent-encoding and too many
 * parameters.
 */
final class TargetForm {
  /** Undertow's own limit, which WildFly does not change. */
  static final int MOST_PARAMETERS = 1000;

  private static final String IN_NO_URI = "\"#<>\\^`{|}";

  private int hexDigitsLeft;
  private boolean isQuery;
  private int parameters;

  void begin() {
    hexDigitsLeft = 0;
    isQuery = false;
    parameters = 1;
  }

  /**
   * Checks the next character, which must be visible ASCII; returns false if the target is
   * malformed.
   */
  boolean accepts(int c) {
    if (hexDigitsLeft > 0) {
      hexDigitsLeft--;
      return Character.digit(c, 16) >= 0;
    }
    if (c == '%') {
      hexDigitsLeft = 2;
    } else if (c == '?') {
      isQuery = true;
    } else if (c == '&' && isQuery) {
      parameters++;
    }
    return parameters <= MOST_PARAMETERS && IN_NO_URI.indexOf(c) < 0;
  }

  /** Whether the target may end here. */
  boolean isWhole() {
    return hexDigitsLeft == 0;
  }

  /** Whether a complete target is well-formed. */
  static boolean isGood(String target) {
    TargetForm form = new TargetForm();
    form.begin();
    return target.chars().allMatch(c -> c > ' ' && c <= '~' && form.accepts(c)) && form.isWhole();
  }
}
