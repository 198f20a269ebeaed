package org.svcmailbox.core.capability;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The rights of a console user, narrowest first. */
public enum ConsoleRole {
  VIEWER("viewer", "dlq.view,peek"),
  OPERATOR("operator", "dlq,dlq.edit,peek,audit,pause"),
  /** May also elevate: ask for a capability of one more operation, for a minute. */
  ADMINISTRATOR("administrator", OPERATOR.ops);

  private final String text;
  private final String ops;

  ConsoleRole(String text, String ops) {
    this.text = text;
    this.ops = ops;
  }

  public boolean mayElevate() {
    return this == ADMINISTRATOR;
  }

  /** The operations that the role's capability allows, by their names in a caveat. */
  public List<String> ops() {
    return List.of(ops.split(",", -1));
  }

  public String text() {
    return text;
  }

  /** The caveat that limits a capability to this role. */
  String caveat() {
    return "ops = " + ops;
  }

  /** The widest role named; unknown names are ignored. */
  public static Optional<ConsoleRole> widest(Collection<String> names) {
    return Arrays.stream(values())
        .filter(role -> names.contains(role.text()))
        .reduce((narrow, wide) -> wide);
  }
}
