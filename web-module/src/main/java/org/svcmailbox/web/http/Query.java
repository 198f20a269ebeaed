package org.svcmailbox.web.http;

import static java.util.Objects.requireNonNullElse;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.ws.rs.core.UriInfo;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.problem.FieldChecks;
import org.svcmailbox.core.problem.SchemaException;

/** Parses a query string. Unknown, repeated and malformed parameters are refused together. */
public final class Query {
  /** The parameter that names the start of a page. */
  public static final String CURSOR = "cursor";

  private final Map<String, List<String>> given;
  private final FieldChecks checks = new FieldChecks();

  /**
   * @param names the known parameters
   */
  public Query(UriInfo uri, Set<String> names) {
    this(uri.getQueryParameters(), names);
  }

  /**
   * For a request without a body.
   *
   * @param names the known parameters
   */
  public Query(HttpServletRequest http, Set<String> names) {
    this(lists(http.getParameterMap()), names);
  }

  private static Map<String, List<String>> lists(Map<String, String[]> parameters) {
    Map<String, List<String>> lists = new LinkedHashMap<>();
    parameters.forEach((name, values) -> lists.put(name, List.of(values)));
    return lists;
  }

  private Query(Map<String, List<String>> given, Set<String> names) {
    this.given = given;
    for (String name : given.keySet()) {
      if (!names.contains(name)) {
        checks.add(new SchemaException(name, "is unknown"));
      }
    }
  }

  public boolean has(String name) {
    return given.containsKey(name);
  }

  /** An optional number; null when absent or refused. */
  public @Nullable Long number(String name, long min, long max) {
    return checks.optional(given.get(name), values -> parse(name, values, min, max));
  }

  /** An optional number; {@code defaultValue} when absent or refused. */
  public long number(String name, long min, long max, long defaultValue) {
    Long number = number(name, min, max);
    return number == null ? defaultValue : number;
  }

  /** A required number; {@code min} when refused. */
  public long required(String name, long min, long max) {
    Long number = checks.required(name, given.get(name), values -> parse(name, values, min, max));
    return number == null ? min : number;
  }

  /** An optional value in its type; null when absent or refused. */
  public <T> @Nullable T value(String name, Function<String, ? extends T> type) {
    return checks.optional(given.get(name), values -> type.apply(only(name, values)));
  }

  /** The start of a page; empty for the first page and when refused. */
  public String cursor(Pattern form) {
    return requireNonNullElse(value(CURSOR, text -> cursor(form, text)), "");
  }

  private static String cursor(Pattern form, String text) {
    if (!form.matcher(text).matches()) {
      throw unknownCursor();
    }
    return text;
  }

  /** The refusal of a cursor that no answer contained. */
  public static SchemaException unknownCursor() {
    return new SchemaException(CURSOR, "must be a next_cursor from an earlier answer");
  }

  /** An optional time, truncated to the millisecond; null when absent or refused. */
  public @Nullable Instant moment(String name) {
    return value(name, text -> parse(name, text));
  }

  /** Parses a time, truncated to the millisecond. */
  public static Instant moment(String name, String text) {
    return parse(name, text);
  }

  private static Instant parse(String name, String text) {
    try {
      return Timestamps.truncated(Instant.parse(text));
    } catch (DateTimeParseException e) {
      throw new SchemaException(name, "must be a time such as 2026-11-22T03:00:00Z");
    }
  }

  /** An optional name of a constant; null when absent or refused. */
  public <T> @Nullable T oneOf(String name, T[] known, Function<T, String> text) {
    return value(name, given -> oneOf(name, given, known, text));
  }

  /**
   * Returns the constant of this text.
   *
   * @throws SchemaException naming the field and the known texts
   */
  public static <T> T oneOf(String name, String given, T[] known, Function<T, String> text) {
    return Arrays.stream(known)
        .filter(one -> text.apply(one).equals(given))
        .findFirst()
        .orElseThrow(
            () ->
                new SchemaException(
                    name,
                    Arrays.stream(known)
                        .map(text)
                        .collect(Collectors.joining(", ", "must be one of ", ""))));
  }

  /** All values of one name, converted together; null when absent or refused. */
  public <T> @Nullable T values(String name, Function<List<String>, ? extends T> type) {
    return checks.optional(given.get(name), type);
  }

  private static String only(String name, List<String> values) {
    if (values.size() != 1) {
      throw new SchemaException(name, "must appear once");
    }
    return values.get(0);
  }

  /** Adds a refusal that depends on several parameters. */
  public void refuse(String name, String message) {
    checks.add(new SchemaException(name, message));
  }

  /**
   * Call it after reading all parameters.
   *
   * @throws SchemaException naming every refused parameter
   */
  public void end() {
    checks.end(() -> Boolean.TRUE);
  }

  private static long parse(String name, List<String> values, long min, long max) {
    try {
      long value = values.size() == 1 ? Long.parseLong(values.get(0)) : min - 1;
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new SchemaException(name, "must be a whole number");
    }
    throw new SchemaException(name, "must appear once, between " + min + " and " + max);
  }
}
