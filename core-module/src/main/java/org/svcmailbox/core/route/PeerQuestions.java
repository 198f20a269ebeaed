package org.svcmailbox.core.route;

/** The questions of other nodes, for the endpoints that receive them. */
public interface PeerQuestions {
  /**
   * The counts of this node, from memory.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException if this process is alone
   */
  CountsAnswer counts(CountsQuestion question);

  /**
   * Carries out a part of an operator's call. It blocks.
   *
   * @throws org.svcmailbox.core.problem.NotFoundException if this process is alone
   */
  PeerAnswer answer(ForwardedCall question);
}
