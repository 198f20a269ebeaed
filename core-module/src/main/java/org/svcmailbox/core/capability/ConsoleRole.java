package org.svcmailbox.core.capability;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** The rights of a console user, narrowest first. */
public enum ConsoleRole {
  VIEWER("viewer", "dlq.view,peek"),
  OPERATOR("operator", "dlq,dlq.edit,peek,audit,pause");

  private final String text;
  private final String ops;

  ConsoleRole(String text, String ops) {
    this.text = text;
    this.ops = ops;
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
