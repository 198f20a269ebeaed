package org.svcmailbox.console.page;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place in the console to return to after sign-in. It is only a URL fragment, so it cannot
 * redirect to another site.
 *
 * @param fragment empty, or starting with {@code #}
 */
public record Target(String fragment) {
  private static final Pattern FORM = Pattern.compile("#[\\x21-\\x7e]{0,2000}");
  private static final Target START = new Target("");

  /** Parses a request parameter; invalid values lead to the start page. */
  public static Target of(@Nullable String requested) {
    if (requested == null) {
      return START;
    }
    String fragment = requested.startsWith("#") ? requested : "#" + requested;
    return FORM.matcher(fragment).matches() ? new Target(fragment) : START;
  }

  /** The path and fragment on this server. */
  public String location() {
    return "/console/" + fragment;
  }
}
