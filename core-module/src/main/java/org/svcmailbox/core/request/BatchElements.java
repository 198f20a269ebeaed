package org.svcmailbox.core.request;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;

/** Validates the elements of a batch; one malformed element refuses the whole batch. */
public final class BatchElements {
  private BatchElements() {}

  /**
   * Converts the elements to core types, in order.
   *
   * @param field the array's name
   * @param max elements
   * @throws SchemaException naming every refused field, as {@code field[3].name}
   */
  public static <S, T> List<T> checked(
      String field, @Nullable List<@Nullable S> elements, int max, Function<S, T> type) {
    if (elements == null) {
      throw new SchemaException(field, "is required");
    }
    if (elements.isEmpty() || elements.size() > max) {
      throw new SchemaException(field, "must have 1 to " + max + " elements");
    }
    List<T> accepted = new ArrayList<>(elements.size());
    List<FieldViolation> found = new ArrayList<>();
    for (int i = 0; i < elements.size(); i++) {
      check(field + "[" + i + "]", elements.get(i), type, accepted, found);
    }
    if (!found.isEmpty()) {
      throw new SchemaException(found);
    }
    return accepted;
  }

  private static <S, T> void check(
      String path,
      @Nullable S element,
      Function<S, T> type,
      List<T> accepted,
      List<FieldViolation> found) {
    if (element == null) {
      found.add(new FieldViolation(path, "must be an object"));
      return;
    }
    try {
      accepted.add(type.apply(element));
    } catch (SchemaException e) {
      found.addAll(e.under(path).violations());
    }
  }
}
