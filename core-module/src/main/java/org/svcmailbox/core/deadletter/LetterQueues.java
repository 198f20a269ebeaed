package org.svcmailbox.core.deadletter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The broker's queues of dead letters. Every method throws {@link UnavailableException} when the
 * broker is away. Any thread.
 */
public interface LetterQueues {
  /** The number of letters by topic and queue; without empty queues, which cost little time. */
  Map<TopicName, Map<Integer, Long>> counts();

  /** A queue's letters; letters that a transaction holds may be missing or listed. */
  List<DeadLetter> browse(TopicName topic, int segment);

  /**
   * Makes sure that each letter that was in a queue before is either back in it or has left it for
   * good.
   *
   * @throws UnavailableException while a transaction holds letters of the queue
   */
  void requireResolved(TopicName topic, int segment);

  /** A position between past and future deaths. Waits some seconds for open transactions. */
  LetterPosition frontier();

  /** Reads a letter's content; empty if it is gone. */
  Optional<LetterContent> read(DeadLetter letter);
}
