package org.svcmailbox.web.topic;

import jakarta.servlet.http.HttpServletRequest;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.topic.Precondition;

/** The conditions of a request on the version of a topic's settings (RFC 9110, section 13.1). */
final class PreconditionHeaders {
  private static final String IF_MATCH = "If-Match";
  private static final String IF_NONE_MATCH = "If-None-Match";
  private static final String ANY = "*";

  /** One entity tag; a weak one matches nothing. */
  private static final Pattern TAG = Pattern.compile("\\s*(W/)?\"([!#-+\\--~]*)\"\\s*");

  private PreconditionHeaders() {}

  /**
   * Reads {@code If-Match}, or {@code If-None-Match: *}.
   *
   * @throws SchemaException if they are malformed, or both are given
   */
  static Precondition of(HttpServletRequest http) {
    String match = http.getHeader(IF_MATCH);
    String noneMatch = http.getHeader(IF_NONE_MATCH);
    if (noneMatch == null) {
      return match == null ? Precondition.NONE : matching(match);
    }
    if (match != null || !noneMatch.strip().equals(ANY)) {
      throw new SchemaException(IF_NONE_MATCH, "must be *, and without If-Match");
    }
    return Precondition.ABSENT;
  }

  private static Precondition matching(String header) {
    return header.strip().equals(ANY) ? Precondition.PRESENT : Precondition.oneOf(tags(header));
  }

  private static Set<String> tags(String header) {
    Set<String> tags = new HashSet<>();
    for (String one : header.split(",", -1)) {
      String tag = strong(one);
      if (tag != null) {
        tags.add(tag);
      }
    }
    return tags;
  }

  private static @Nullable String strong(String text) {
    Matcher tag = TAG.matcher(text);
    if (!tag.matches()) {
      throw new SchemaException(IF_MATCH, "must be *, or ETags such as \"12.3\"");
    }
    return tag.group(1) == null ? tag.group(2) : null;
  }
}
