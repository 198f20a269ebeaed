package org.svcmailbox.core.problem;

import java.util.List;
import java.util.stream.Collectors;

/** A request is invalid; nothing was changed. */
public final class SchemaException extends MailboxException {
  private static final long serialVersionUID = 1L;

  private final transient List<FieldViolation> violations;

  public SchemaException(String field, String message) {
    this(List.of(new FieldViolation(field, message)));
  }

  public SchemaException(List<FieldViolation> violations) {
    super(
        Problem.E_SCHEMA,
        violations.stream()
            .map(v -> v.field() + ": " + v.message())
            .collect(Collectors.joining("; ")));
    this.violations = List.copyOf(violations);
  }

  public List<FieldViolation> violations() {
    return violations;
  }

  /** The same violations, with paths below {@code prefix}. */
  public SchemaException under(String prefix) {
    return new SchemaException(
        violations.stream()
            .map(v -> new FieldViolation(prefix + "." + v.field(), v.message()))
            .toList());
  }
}
