package org.svcmailbox.core.worker.state;

import org.svcmailbox.core.delivery.Refusal;

/** A request from a caller to a worker, with a future for the answer. */
public interface Command {
  void refuse(Refusal refusal);

  /**
   * Refuses it while its worker waits for the broker. The worker still has its session and its
   * leases.
   */
  default void refuseLate() {
    refuse(Refusals.brokerAway());
  }

  /** Whether the caller already has its answer. Any thread. */
  boolean isAnswered();
}
