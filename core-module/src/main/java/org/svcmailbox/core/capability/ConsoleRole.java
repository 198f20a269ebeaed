package org.svcmailbox.core.capability;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;

/** What somebody may do who is signed in to the console; the widest comes last. */
public enum ConsoleRole {
  /** Looks and changes nothing. */
  VIEWER("viewer", "dlq.view,peek"),
  /** Deals with dead letters. */
  OPERATOR("operator", "dlq,dlq.edit,peek,audit");

  private final String text;
  private final String ops;

  ConsoleRole(String text, String ops) {
    this.text = text;
    this.ops = ops;
  }

  /** What the server's users and the console call it. */
  public String text() {
    return text;
  }

  /** The caveat that lets its capability do this and no more. */
  String caveat() {
    return "ops = " + ops;
  }

  /** The widest of those written so; other names are nobody's concern. */
  public static Optional<ConsoleRole> widest(Collection<String> names) {
    return Arrays.stream(values())
        .filter(role -> names.contains(role.text()))
        .reduce((narrow, wide) -> wide);
  }
}
