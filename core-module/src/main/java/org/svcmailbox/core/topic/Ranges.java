package org.svcmailbox.core.topic;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.FieldViolation;
import org.svcmailbox.core.problem.SchemaException;

/** Collects fields out of range and refuses them together. */
final class Ranges {
  private final List<FieldViolation> found = new ArrayList<>();

  <T extends Comparable<T>> void within(String field, @Nullable T value, T least, T most) {
    if (value != null && (value.compareTo(least) < 0 || value.compareTo(most) > 0)) {
      found.add(new FieldViolation(field, "must be between " + least + " and " + most));
    }
  }

  /** Throws {@link SchemaException} if there are any. */
  void end() {
    if (!found.isEmpty()) {
      throw new SchemaException(found);
    }
  }
}
