package org.svcmailbox.bench;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The server with some environment.
 *
 * @param name in tables
 * @param settings environment variables beyond its defaults
 */
record Variant(String name, Map<String, String> settings) {
  /** The server as it is laid out. */
  static final Variant DEFAULT = new Variant("mailbox", Map.of());

  private static final Pattern TEXT = Pattern.compile("([\\w.-]+):(.+)");
  private static final Pattern SETTING = Pattern.compile("([A-Za-z_]\\w*)=(.*)");

  Variant {
    settings = Map.copyOf(settings);
  }

  /**
   * Checks that names are unique in a report.
   *
   * @throws IllegalArgumentException when one is not
   */
  static void requireOthers(List<Variant> variants) {
    Set<String> names = new HashSet<>(Set.of(DEFAULT.name(), StartReport.STOCK));
    for (Variant variant : variants) {
      if (!names.add(variant.name())) {
        throw new IllegalArgumentException("--variant needs another name than " + variant.name());
      }
    }
  }

  /**
   * Reads {@code name:NAME=VALUE;NAME=VALUE}.
   *
   * @throws IllegalArgumentException when it is something else
   */
  static Variant parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("--variant needs name:NAME=VALUE;NAME=VALUE, not " + text);
    }
    Map<String, String> settings = new TreeMap<>();
    for (String pair : parts.group(2).split(";", -1)) {
      Matcher setting = SETTING.matcher(pair);
      if (!setting.matches()) {
        throw new IllegalArgumentException("--variant needs NAME=VALUE, not " + pair);
      }
      settings.put(setting.group(1), setting.group(2));
    }
    return new Variant(parts.group(1), settings);
  }
}
