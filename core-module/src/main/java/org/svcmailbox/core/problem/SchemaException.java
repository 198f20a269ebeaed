package org.svcmailbox.core.problem;

import java.util.List;
import java.util.stream.Collectors;

/** A request that cannot be understood; nothing was changed by it. */
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

  /** Every field that was refused, at least one. */
  public List<FieldViolation> violations() {
    return violations;
  }

  /** The same violations seen from an enclosing structure. */
  public SchemaException under(String prefix) {
    return new SchemaException(
        violations.stream()
            .map(v -> new FieldViolation(prefix + "." + v.field(), v.message()))
            .toList());
  }
}
