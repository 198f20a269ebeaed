package org.svcmailbox.core.worker.state;

/**
 * A part of a worker that stages changes in the step's transaction. Called on the worker's thread.
 */
public interface StepPart {
  /** Called when the transaction is on disk. */
  default void onCommit() {}

  /** Called when the session is lost; the outcome of a commit that had begun is unknown. */
  void onSessionLost();
}
