package org.svcmailbox.core.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.DeadLetterReason;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * An index that may lag behind the queues and can be rebuilt. Every method throws {@link
 * UnavailableException} when the database is away. Any thread.
 */
public interface LetterIndex {
  /** Adds letters, ignoring those with a known position; on disk on return. */
  void add(Collection<DeadLetter> letters);

  /** Removes letters, ignoring unknown positions; returns how many. */
  int remove(Collection<LetterPosition> positions);

  /** Removes up to {@code most} letters of a topic; returns how many. */
  int removeSome(TopicName topic, int most);

  /** Letters before {@code before}, newest first. */
  List<DeadLetter> page(TopicName topic, LetterFilter filter, LetterPosition before, int limit);

  /** Letters between {@code after} and {@code end}, both exclusive, oldest first. */
  List<DeadLetter> ahead(
      TopicName topic, LetterFilter filter, LetterPosition after, LetterPosition end, int limit);

  /**
   * As {@link #ahead}, but only letters that are readable, not rejected and redriven fewer than
   * {@code times} times.
   */
  List<DeadLetter> due(
      TopicName topic, int times, LetterPosition after, LetterPosition end, int limit);

  Map<DeadLetterReason, Long> countDue(
      TopicName topic, int times, LetterPosition after, LetterPosition end);

  /** The letters at these positions that are in the index, oldest first. */
  List<DeadLetter> at(TopicName topic, Collection<LetterPosition> positions);

  /** The newest letter with this id. */
  Optional<DeadLetter> find(TopicName topic, MsgId msgId);

  /** Letters with this id of any topic, newest first. */
  List<DeadLetter> find(MsgId msgId, int limit);

  /** The largest groups of matching letters. */
  List<LetterGroup> groups(TopicName topic, LetterFilter filter, int limit);

  /** Whether a letter of the topic has a fingerprint that earlier rules made. */
  boolean isOutdated(TopicName topic);

  /** Recomputes up to {@code most} such fingerprints; returns how many. */
  int regroup(int most);

  Map<DeadLetterReason, Long> count(TopicName topic, LetterFilter filter, LetterPosition end);

  /** How many letters each of these jobs redrove last, without jobs that have none. */
  Map<JobId, Long> countByJob(Collection<JobId> jobs);

  /** The newest position of all topics; {@link LetterPosition#FIRST} if there is none. */
  LetterPosition newest();

  /** The number of letters by topic and queue; without empty queues. */
  Map<TopicName, Map<Integer, Long>> segments();

  Set<LetterPosition> positions(TopicName topic, int segment);
}
