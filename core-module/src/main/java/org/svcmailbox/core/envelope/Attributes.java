package org.svcmailbox.core.envelope;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import org.svcmailbox.core.problem.SchemaException;

/**
 * A message's attributes: at most 32 pairs of text, kept in the order of their keys' UTF-8 bytes,
 * which is the order the hash chain takes them in.
 *
 * @param values keys of 1 to 128 characters, values of at most 1024
 */
public record Attributes(Map<String, String> values) {
  /** The most pairs. */
  public static final int MAX_COUNT = 32;

  /** The longest key, in characters. */
  public static final int MAX_KEY = 128;

  /** The longest value, in characters. */
  public static final int MAX_VALUE = 1024;

  /** No attributes. */
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
