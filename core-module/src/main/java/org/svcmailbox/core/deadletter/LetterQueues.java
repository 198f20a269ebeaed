package org.svcmailbox.core.deadletter;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The queues that dead letters are in: the truth about them. Every method throws {@link
 * UnavailableException} when the broker is away. Safe for many threads.
 */
public interface LetterQueues {
  /**
   * How many letters are in each queue of each topic, those without left out; in time that depends
   * little on how many topics have none.
   */
  Map<TopicName, Map<Integer, Long>> counts();

  /** The letters in one queue, a few thousand at most; none when there is no such queue. */
  List<DeadLetter> browse(TopicName topic, int segment);

  /**
   * A place behind every letter that died before this call, and in front of every one that dies
   * after it. Waits for what is dying meanwhile, for some seconds.
   */
  Place frontier();

  /** A letter with everything that is in it, unless it is gone. */
  Optional<LetterContent> read(DeadLetter letter);
}
