package org.svcmailbox.web.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;

/**
 * The checking of one request record: every field is looked at before the request is refused, so
 * that a client learns of all its mistakes at once.
 */
public final class FieldChecks {
  private final List<FieldViolation> found = new ArrayList<>();

  /** A field that must be there, in its type; null when it is refused. */
  public <S, T> @Nullable T required(
      String field, @Nullable S value, Function<? super S, ? extends T> type) {
    if (value == null) {
      found.add(new FieldViolation(field, "is required"));
    }
    return optional(value, type);
  }

  /** A field that may be absent, in its type; null when it is absent or refused. */
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
   * The entries of a field that is an object of strings.
   *
   * @throws SchemaException naming the entry that is none, as {@code field.key}
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

  /** Takes what is wrong with a part of the request over. */
  public void add(SchemaException refused) {
    found.addAll(refused.violations());
  }

  /**
   * The request, unless a field was refused.
   *
   * @param request makes it; only called when every field was accepted
   * @throws SchemaException naming every field that was refused
   */
  public <T> T end(Supplier<T> request) {
    if (!found.isEmpty()) {
      throw new SchemaException(found);
    }
    return request.get();
  }
}
