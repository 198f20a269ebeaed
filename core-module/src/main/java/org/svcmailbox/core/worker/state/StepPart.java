package org.svcmailbox.core.worker.state;

/** A part of a worker that stages changes in the step's transaction. The worker's thread. */
public interface StepPart {
  /** The transaction is on disk. */
  default void onCommit() {}

  /** The session is lost; the outcome of a commit that had begun is unknown. */
  void onSessionLost();
}
