package org.svcmailbox.core.settings;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.settings.RendezvousSettings.Access;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.settings.RendezvousSettings.StaticToken;

/** Forms of values that only the rendezvous door has. */
final class RendezvousForms {
  static final String ADDRESS_BOUNDS = "address:port, such as 0.0.0.0:8090 or [::]:8090";
  static final String MODE_BOUNDS = "disabled, server_wide or per_mailbox";
  static final int MAX_TOKENS = 64;
  static final int MAX_ORIGINS = 100;

  private static final Pattern ADDRESS = Pattern.compile("(?:\\[([^\\]]+)\\]|([^:]+)):(\\d{1,5})");
  private static final int MAX_PORT = 65_535;

  private static final Pattern TOKEN =
      Pattern.compile("(?:([0-9a-fA-F]{64})=)?([A-Za-z0-9._~+/-]{16,256}=*)");

  private static final Pattern ORIGIN =
      Pattern.compile("https?://(?:[A-Za-z0-9.-]+|\\[[0-9a-fA-F:.]+\\])(?::\\d{1,5})?");

  private RendezvousForms() {}

  static InetSocketAddress address(String text) {
    Matcher form = ADDRESS.matcher(text);
    if (form.matches() && Integer.parseInt(form.group(3)) <= MAX_PORT) {
      Optional<InetAddress> host =
          IpRange.address(form.group(1) != null ? form.group(1) : form.group(2));
      if (host.isPresent()) {
        return new InetSocketAddress(host.get(), Integer.parseInt(form.group(3)));
      }
    }
    throw new RefusedValueException("must be " + ADDRESS_BOUNDS);
  }

  static AuthMode mode(String text) {
    for (AuthMode mode : AuthMode.values()) {
      if (mode.name().toLowerCase(Locale.ROOT).equals(text)) {
        return mode;
      }
    }
    throw new RefusedValueException("must be " + MODE_BOUNDS);
  }

  /** Reasons of refusals do not repeat the value. */
  static List<StaticToken> tokens(List<String> elements) {
    List<StaticToken> tokens = new ArrayList<>();
    for (String element : SettingGroup.atMost(MAX_TOKENS, elements)) {
      tokens.add(token(element.strip()));
    }
    if (new HashSet<>(tokens).size() < tokens.size()) {
      throw new RefusedValueException("has a token twice");
    }
    return tokens;
  }

  private static StaticToken token(String text) {
    Matcher form = TOKEN.matcher(text);
    if (!form.matches()) {
      throw new RefusedValueException("has an element that is no token of 16 to 256 characters");
    }
    Optional<String> recipient =
        Optional.ofNullable(form.group(1)).map(hex -> hex.toLowerCase(Locale.ROOT));
    return new StaticToken(recipient, form.group(2));
  }

  static List<IpRange> ranges(List<String> elements) {
    return SettingGroup.ranges(SettingGroup.atMost(Access.MAX_RANGES, elements));
  }

  static List<String> origins(List<String> elements) {
    List<String> origins =
        SettingGroup.atMost(MAX_ORIGINS, elements).stream().map(String::strip).toList();
    Predicate<String> isOrigin = ORIGIN.asMatchPredicate().or("*"::equals);
    List<String> reasons =
        origins.stream()
            .filter(isOrigin.negate())
            .map(origin -> "has " + origin + ", which is no origin")
            .toList();
    return SettingGroup.unless(
        reasons, origins.stream().map(origin -> origin.toLowerCase(Locale.ROOT)).toList());
  }
}
