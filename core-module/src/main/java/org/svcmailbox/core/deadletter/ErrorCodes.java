package org.svcmailbox.core.deadletter;

/**
 * Regular expressions of codes that say what failed. Each begins with the words before the code. In
 * the documented formats, a code has few values, so patterns with codes stay few.
 */
final class ErrorCodes {
  private static final String END = "(?![\\p{Alnum}\\p{Nd}_]|[-.:,+]\\p{Nd})";
  private static final String GAP = "[\"']?[ ]?[:=]?[ ]?[\"'(\\[]?";

  private static final String STATUS = "[1-5]\\d\\d";
  private static final String REPLY = "[2-5][0-5]\\d";
  private static final String ENHANCED = "[245]\\.\\d{1,3}\\.\\d{1,3}";

  /** The subject of a status: {@code HTTP/1.1}, {@code httpStatus}, {@code SMTP reply code}. */
  private static final String SUBJECT =
      "\\b(?:http(?:/(?:\\d(?:\\.\\d)?|"
          + ErrorPattern.ANY
          + "))?|smtp|dsn|status|reply|response)(?:[ _-]?(?:status|code|error|reply|response)){0,3}";

  /** A statement about a process, such as {@code exited with code}. */
  private static final String EXIT =
      "\\b(?:exit(?:ed)?(?: with)?[ _-]?(?:code|status|value)|signal)";

  private static final String VENDOR = "\\b(?:vendor ?code|error ?code|sqlcode|errno)";

  /** All of them as alternatives that match in linear time; without capturing groups. */
  static final String ALL =
      String.join(
          "|",
          anyCase(EXIT) + GAP + "-?\\d{1,3}" + END,
          anyCase(SUBJECT) + GAP + "(?:" + REPLY + "[ -]" + ENHANCED + "|" + ENHANCED + ")" + END,
          anyCase(SUBJECT) + GAP + STATUS + END,
          anyCase("\\bsql ?state") + GAP + "(?=[A-Z]{0,4}\\d)[0-9A-Z]{5}" + END,
          anyCase(VENDOR) + GAP + "-?\\d{1,5}" + END,
          "\\b(?:ORA|PLS|TNS)-\\d{5}" + END,
          // A reply and its enhanced code have one class.
          "\\b(?:2\\d\\d[ -]2|4\\d\\d[ -]4|5\\d\\d[ -]5)\\.\\d{1,3}\\.\\d{1,3}" + END,
          // A count has its lower-case noun behind it, a reply begins a sentence.
          "\\A\\s*+" + REPLY + "(?=$|[-:] ?\\D|\\s++[^\\p{Ll}\\p{Nd}])" + END,
          "(?:Exception|Error)(?:\\$\\p{Alpha}{1,64})?: [45][0-5]\\d(?= \\p{Lu})");

  private ErrorCodes() {}

  private static String anyCase(String words) {
    return "(?i:" + words + ")";
  }
}
