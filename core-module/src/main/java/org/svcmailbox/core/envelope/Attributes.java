package org.svcmailbox.core.envelope;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.core.problem.SchemaException;

/** A message's attributes in the order of the hash chain: by the UTF-8 bytes of their keys. */
public record Attributes(Map<String, String> values) {
  public static final int MAX_COUNT = 32;

  public static final int MAX_KEY = 128;

  public static final int MAX_VALUE = 1024;

  public static final Attributes NONE = new Attributes(Map.of());

  private static final Comparator<String> UTF_8_ORDER =
      (a, b) ->
          Arrays.compareUnsigned(
              a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));

  public Attributes {
    if (values.size() > MAX_COUNT) {
      throw new SchemaException("attrs", "has more than " + MAX_COUNT + " entries");
    }
    values.forEach(Attributes::check);
    values = sorted(values);
  }

  private static Map<String, String> sorted(Map<String, String> values) {
    if (values.isEmpty()) {
      return Map.of();
    }
    TreeMap<String, String> sorted = new TreeMap<>(UTF_8_ORDER);
    sorted.putAll(values);
    return Collections.unmodifiableMap(sorted);
  }

  private static void check(String key, String value) {
    Text.checked("attrs", key, 1, MAX_KEY);
    Text.checked("attrs." + key, value, 0, MAX_VALUE);
  }
}
