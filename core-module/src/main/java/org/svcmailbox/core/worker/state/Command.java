package org.svcmailbox.core.worker.state;

import org.svcmailbox.core.delivery.Refusal;

/** A request from a caller to a worker, with a future for the answer. */
public interface Command {
  void refuse(Refusal refusal);

  /** Whether nothing is owed to the caller any more. Any thread. */
  boolean isAnswered();
}
