package org.svcmailbox.core.health;

/** One part's state; {@code detail} is a sentence without secrets and may be empty. */
public record Vital(Part part, boolean up, String detail) {

  public static Vital up(Part part) {
    return new Vital(part, true, "");
  }

  public static Vital down(Part part, String detail) {
    return new Vital(part, false, detail);
  }
}
