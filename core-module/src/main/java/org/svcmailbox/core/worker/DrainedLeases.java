package org.svcmailbox.core.worker;

/**
 * The outcome of a drain for the remaining leases.
 *
 * @param handedOver leases in the batch log, for the next start
 * @param ended leases that could not be handed over; their messages are ready again
 */
public record DrainedLeases(int handedOver, int ended) {
  static final DrainedLeases NONE = new DrainedLeases(0, 0);

  /** The outcome if no data outlives the process. */
  public DrainedLeases lost() {
    return new DrainedLeases(0, handedOver + ended);
  }

  DrainedLeases and(DrainedLeases more) {
    return new DrainedLeases(handedOver + more.handedOver, ended + more.ended);
  }
}
