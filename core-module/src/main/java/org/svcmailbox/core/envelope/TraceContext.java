package org.svcmailbox.core.envelope;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The sender's W3C Trace Context, well-formed. Not part of the hash chain. */
public record TraceContext(String parent, @Nullable String state) {
  public static final int MAX_STATE = 512;

  public static final int MAX_MEMBERS = 32;

  private static final int LENGTH = 55;
  private static final String VERSION = "00";
  private static final Pattern FIELDS =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");
  private static final Pattern MEMBER =
      Pattern.compile(
          "[ \\t]*([a-z0-9][a-z0-9_*/@-]{0,255}=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}"
              + "[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e][ \\t]*)?");

  /**
   * Null if {@code parent} cannot be read. A malformed or too long {@code state} is dropped, and
   * {@code parent} is kept.
   */
  public static @Nullable TraceContext of(@Nullable String parent, @Nullable String state) {
    String understood = parent != null ? parent(parent) : null;
    return understood != null ? new TraceContext(understood, state(state)) : null;
  }

  private static @Nullable String parent(String given) {
    if (given.length() < LENGTH || !FIELDS.matcher(given).region(0, LENGTH).matches()) {
      return null;
    }
    if (given.startsWith(VERSION)) {
      return given.length() == LENGTH ? given : null;
    }
    return given.length() == LENGTH || given.charAt(LENGTH) == '-' ? inOurVersion(given) : null;
  }

  /** Keeps a later version's ids and sampled flag. */
  private static String inOurVersion(String later) {
    boolean isSampled = (Character.digit(later.charAt(LENGTH - 1), 16) & 1) != 0;
    return VERSION + later.substring(VERSION.length(), LENGTH - 2) + (isSampled ? "01" : "00");
  }

  private static @Nullable String state(@Nullable String given) {
    if (given == null || given.length() > MAX_STATE) {
      return null;
    }
    int members = 0;
    for (String member : given.split(",", -1)) {
      Matcher matcher = MEMBER.matcher(member);
      if (!matcher.matches()) {
        return null;
      }
      members += matcher.group(1) != null ? 1 : 0;
    }
    return members > 0 && members <= MAX_MEMBERS ? given : null;
  }
}
