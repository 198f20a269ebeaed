package org.svcmailbox.core.health;

/**
 * The states of the service's parts, as last observed. Answers from memory: a caller is never kept
 * waiting by the part it asks about, and nothing is changed by asking.
 */
public interface Vitals {
  /** The state of one part. Never throws for a part that is down. */
  Vital of(Part part);
}
