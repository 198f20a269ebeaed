package org.svcmailbox.rendezvous;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Converts {@code Forwarded} headers (RFC 7239) to the form of {@code X-Forwarded-For}. An element
 * without an address becomes an unknown hop, so that addresses before it are not trusted.
 */
final class ForwardedHops {
  private static final String UNKNOWN = "unknown";
  private static final String TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
  private static final String VALUE = "(?:" + TOKEN + "|\"(?:[^\"\\\\]|\\\\.)*\")";
  private static final Pattern ELEMENT =
      Pattern.compile(
          "\\s*(" + TOKEN + "=" + VALUE + "(?:\\s*;\\s*" + TOKEN + "=" + VALUE + ")*)\\s*(?:,|$)");
  private static final Pattern FOR =
      Pattern.compile("(?i)(?:^|;)\\s*for=(?:\"([^\"]*)\"|([^;\\s]+))");
  private static final Pattern NODE =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]+)\\]|([0-9.]+))(?::[0-9]{1,5})?");

  private ForwardedHops() {}

  /** Returns the hops separated by commas; a malformed header is one unknown hop. */
  static String of(List<String> headers) {
    String all = String.join(",", headers);
    Matcher element = ELEMENT.matcher(all);
    StringBuilder hops = new StringBuilder();
    int end = 0;
    while (end < all.length()) {
      if (!element.find(end) || element.start() != end) {
        return UNKNOWN;
      }
      hops.append(hops.length() == 0 ? "" : ",").append(hop(element.group(1)));
      end = element.end();
    }
    return hops.toString();
  }

  private static String hop(String element) {
    List<String> nodes =
        FOR.matcher(element)
            .results()
            .map(found -> found.group(1) != null ? found.group(1) : found.group(2))
            .collect(Collectors.toList());
    return nodes.size() == 1 ? address(nodes.get(0)) : UNKNOWN;
  }

  private static String address(String node) {
    Matcher form = NODE.matcher(node);
    if (!form.matches()) {
      return UNKNOWN;
    }
    return form.group(1) != null ? form.group(1) : form.group(2);
  }
}
