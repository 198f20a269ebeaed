package org.svcmailbox.core.problem;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.amount.Amounts;

/** Collects the violations of one request, so that a client sees all its mistakes at once. */
public final class FieldChecks {
  private final List<FieldViolation> found = new ArrayList<>();

  /** A required field, converted; null if it was refused. */
  public <S, T> @Nullable T required(
      String field, @Nullable S value, Function<? super S, ? extends T> type) {
    if (value == null) {
      found.add(new FieldViolation(field, "is required"));
    }
    return optional(value, type);
  }

  /** An optional field, converted; null if it is absent or was refused. */
  public <S, T> @Nullable T optional(@Nullable S value, Function<? super S, ? extends T> type) {
    if (value == null) {
      return null;
    }
    try {
      return type.apply(value);
    } catch (SchemaException e) {
      found.addAll(e.violations());
      return null;
    }
  }

  /**
   * A duration such as {@code 5s} or {@code PT5S}.
   *
   * @throws SchemaException naming the field
   */
  public static Duration duration(String field, String text) {
    try {
      return Amounts.duration(text);
    } catch (IllegalArgumentException e) {
      throw new SchemaException(field, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The entries of an object of strings.
   *
   * @throws SchemaException naming the first other entry, as {@code field.key}
   */
  public static Map<String, String> strings(String field, Map<String, @Nullable String> given) {
    Map<String, String> strings = new LinkedHashMap<>();
    given.forEach(
        (key, value) -> {
          if (value == null) {
            throw new SchemaException(field + "." + key, "must be a string");
          }
          strings.put(key, value);
        });
    return strings;
  }

  /** Adds violations found elsewhere. */
  public void add(SchemaException refused) {
    found.addAll(refused.violations());
  }

  /**
   * Returns the request if no field was refused.
   *
   * @param request builds it; called only if there are no violations
   * @throws SchemaException naming every refused field
   */
  public <T> T end(Supplier<T> request) {
    if (!found.isEmpty()) {
      throw new SchemaException(found);
    }
    return request.get();
  }
}
