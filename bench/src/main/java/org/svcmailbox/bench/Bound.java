package org.svcmailbox.bench;

import java.util.Locale;

/**
 * A bound that a figure should keep, the value itself included.
 *
 * @param atMost whether the figure is to be at most the value, instead of at least
 */
record Bound(boolean atMost, double value) {
  static Bound atMost(double value) {
    return new Bound(true, value);
  }

  static Bound atLeast(double value) {
    return new Bound(false, value);
  }

  /** Whether a figure keeps it; one that is no number does not. */
  boolean holds(double figure) {
    return atMost ? figure <= value : figure >= value;
  }

  /** The same as a cell of a table. */
  String reached(double figure) {
    return holds(figure) ? "yes" : "no";
  }

  /** The bound as it is written. */
  String wanted() {
    String format = value == Math.rint(value) ? "%,.0f" : "%.2f";
    return (atMost ? "at most " : "at least ") + String.format(Locale.ROOT, format, value);
  }
}
