package org.svcmailbox.core.envelope;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where a message stands in its sender's trace, in the words of W3C Trace Context. It belongs to
 * the transport, not to what the sender said: no part of the hash chain.
 *
 * @param parent the {@code traceparent} field, well-formed
 * @param state the {@code tracestate} field, well-formed; null when there is none
 */
public record TraceContext(String parent, @Nullable String state) {
  /** The longest {@code tracestate} that is carried, in characters. */
  public static final int MAX_STATE = 512;

  /** The most members of a {@code tracestate} that is carried. */
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
   * What a sender's headers say; null when they say nothing that can be understood, which is no
   * error.
   *
   * @param parent the {@code traceparent} header
   * @param state the {@code tracestate} header; dropped for itself when it is malformed or too long
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

  /** Of a later version, only what ours knows: the ids, and whether the trace is sampled. */
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
