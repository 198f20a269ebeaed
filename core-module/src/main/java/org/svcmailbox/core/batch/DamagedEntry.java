package org.svcmailbox.core.batch;

/**
 * A message in the queue of a worker's batch log that is not an entry, or was altered.
 *
 * @param number of the entry; 0 if it cannot be read
 * @param what is wrong with it, for operators
 */
public record DamagedEntry(long number, String what) {
  @Override
  public String toString() {
    return (number > 0 ? "entry " + number : "an entry") + " (" + what + ")";
  }
}
