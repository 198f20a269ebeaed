package org.svcmailbox.bench.options;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A server with additional environment variables.
 *
 * @param name its name in tables
 * @param settings environment variables beyond the defaults
 */
public record Variant(String name, Map<String, String> settings) {
  public static final Variant DEFAULT = new Variant("mailbox", Map.of());

  /** Name of the stock server in the reports that have variants. */
  public static final String STOCK = "stock";

  private static final Pattern TEXT = Pattern.compile("([\\w.-]+):(.+)");
  private static final Pattern SETTING = Pattern.compile("([A-Za-z_]\\w*)=(.*)");

  public Variant {
    settings = Map.copyOf(settings);
  }

  /**
   * Requires unique names.
   *
   * @throws IllegalArgumentException if a name is taken
   */
  static void requireOthers(List<Variant> variants) {
    Set<String> names = new HashSet<>(Set.of(DEFAULT.name(), STOCK));
    for (Variant variant : variants) {
      if (!names.add(variant.name())) {
        throw new IllegalArgumentException("--variant needs another name than " + variant.name());
      }
    }
  }

  /**
   * Parses {@code name:NAME=VALUE;NAME=VALUE}.
   *
   * @throws IllegalArgumentException if the text has another form
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
