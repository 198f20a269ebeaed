package org.svcmailbox.core.batch;

/**
 * A message in the queue of a worker's batch log that is not an entry, or was altered.
 *
 * @param number of the entry, as far as it can still be read; 0 when it cannot
 * @param what is wrong with it, in an operator's words
 */
public record DamagedEntry(long number, String what) {
  @Override
  public String toString() {
    return (number > 0 ? "entry " + number : "an entry") + " (" + what + ")";
  }
}
