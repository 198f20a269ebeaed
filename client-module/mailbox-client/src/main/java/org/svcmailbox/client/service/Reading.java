package org.svcmailbox.client.service;

/**
 * The meaning of a problem for the task that it answers.
 *
 * @param <A> the task's answer
 */
public sealed interface Reading<A> {
  /** The task is done all the same. */
  record Done<A>(A answer) implements Reading<A> {}

  /** The task is not done. */
  record Refused<A>(Failure failure) implements Reading<A> {}
}
