package org.svcmailbox.bench.figure;

import java.util.Locale;

/**
 * A bound that a figure should keep, its value included.
 *
 * @param atMost whether the bound is an upper one
 */
public record Bound(boolean atMost, double value) {
  public static Bound atMost(double value) {
    return new Bound(true, value);
  }

  public static Bound atLeast(double value) {
    return new Bound(false, value);
  }

  /** NaN keeps no bound. */
  public boolean holds(double figure) {
    return atMost ? figure <= value : figure >= value;
  }

  /** The verdict as a cell of a table. */
  public String reached(double figure) {
    return holds(figure) ? "yes" : "no";
  }

  /** The bound in words; its value has digits after the point only where it needs them. */
  public String wanted() {
    return wanted(value == Math.rint(value) ? "%,.0f" : "%.2f");
  }

  /** The bound in words, its value in this format. */
  public String wanted(String format) {
    return (atMost ? "at most " : "at least ") + String.format(Locale.ROOT, format, value);
  }
}
