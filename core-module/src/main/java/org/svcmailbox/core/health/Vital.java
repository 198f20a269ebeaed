package org.svcmailbox.core.health;

/**
 * One part's state.
 *
 * @param up whether it works
 * @param detail a sentence for operators, without secrets; empty when there is nothing to say
 */
public record Vital(Part part, boolean up, String detail) {

  /** A part that works. */
  public static Vital up(Part part) {
    return new Vital(part, true, "");
  }

  /** A part that does not. */
  public static Vital down(Part part, String detail) {
    return new Vital(part, false, detail);
  }
}
