package org.svcmailbox.core.health;

/**
 * The last observed states of all parts. Answers from memory, so a caller never waits for a part.
 */
public interface Vitals {
  /** Never throws for a part that is down. */
  Vital of(Part part);
}
