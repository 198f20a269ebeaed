package org.svcmailbox.client;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The forms of the two headers of W3C Trace Context. */
public final class TraceHeaders {
  /** The most characters of a {@code tracestate}. */
  public static final int MAX_STATE = 512;

  /** The most members of a {@code tracestate}. */
  public static final int MAX_MEMBERS = 32;

  private static final Pattern PARENT =
      Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

  private static final Pattern MEMBER =
      Pattern.compile(
          "[ \\t]*([a-z0-9][a-z0-9_*/@-]{0,255}=[\\x20-\\x2b\\x2d-\\x3c\\x3e-\\x7e]{0,255}"
              + "[\\x21-\\x2b\\x2d-\\x3c\\x3e-\\x7e][ \\t]*)?");

  private TraceHeaders() {}

  /** Whether a {@code traceparent} is well-formed. */
  public static boolean isParent(String value) {
    return PARENT.matcher(value).matches();
  }

  /** Whether a {@code tracestate} is well-formed and within its bounds. */
  public static boolean isState(String value) {
    if (value.length() > MAX_STATE) {
      return false;
    }
    List<Matcher> members = Arrays.stream(value.split(",", -1)).map(MEMBER::matcher).toList();
    if (!members.stream().allMatch(Matcher::matches)) {
      return false;
    }
    long count = members.stream().filter(member -> member.group(1) != null).count();
    return count >= 1 && count <= MAX_MEMBERS;
  }
}
