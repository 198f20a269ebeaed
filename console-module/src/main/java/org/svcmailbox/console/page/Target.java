package org.svcmailbox.console.page;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in the console somebody wants to be once they are signed in: what comes after the # of its
 * address, so never another place.
 *
 * @param fragment empty, or # and what follows
 */
public record Target(String fragment) {
  private static final Pattern FORM = Pattern.compile("#[\\x21-\\x7e]{0,2000}");
  private static final Target START = new Target("");

  /** What a request asks for; the start of the console where that makes no sense. */
  public static Target of(@Nullable String asked) {
    if (asked == null) {
      return START;
    }
    String fragment = asked.startsWith("#") ? asked : "#" + asked;
    return FORM.matcher(fragment).matches() ? new Target(fragment) : START;
  }

  /** Its address on this server. */
  public String location() {
    return "/console/" + fragment;
  }
}
