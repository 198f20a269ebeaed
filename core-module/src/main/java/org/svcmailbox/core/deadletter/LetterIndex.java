package org.svcmailbox.core.deadletter;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.svcmailbox.core.delivery.DeadLetterReason;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * The searchable index of dead letters. The broker's queues are the truth; this may be behind, and
 * can be rebuilt from them. Every method throws {@link UnavailableException} when the database is
 * away. Safe for many threads.
 */
public interface LetterIndex {
  /** Enters letters; those whose places are taken are left out. On disk when it returns. */
  void add(Collection<DeadLetter> letters);

  /** Removes the letters of these places; unknown ones are no error. Answers how many it were. */
  int remove(Collection<Place> places);

  /** Removes letters of a topic, whichever; answers how many. */
  int removeSome(TopicName topic, int most);

  /**
   * Letters of a topic, newest first.
   *
   * @param before only those in front of this place
   */
  List<DeadLetter> page(TopicName topic, LetterFilter filter, Place before, int limit);

  /**
   * Letters of a topic, oldest first.
   *
   * @param after only those behind this place
   * @param end only those in front of this place
   */
  List<DeadLetter> ahead(TopicName topic, LetterFilter filter, Place after, Place end, int limit);

  /**
   * As {@link #ahead}, of all letters that were brought back fewer than {@code times} times, can be
   * read, and were not rejected by their consumer.
   */
  List<DeadLetter> due(TopicName topic, int times, Place after, Place end, int limit);

  /** How many letters {@link #due} means. */
  Map<DeadLetterReason, Long> countDue(TopicName topic, int times, Place after, Place end);

  /** Those of some letters of a topic that are in the index, oldest first. */
  List<DeadLetter> at(TopicName topic, Collection<Place> places);

  /** The newest letter that is this message. */
  Optional<DeadLetter> find(TopicName topic, MsgId msgId);

  /** The largest groups, largest first. */
  List<LetterGroup> groups(TopicName topic, LetterFilter filter, int limit);

  /**
   * How many letters a filter means.
   *
   * @param end only those in front of this place
   */
  Map<DeadLetterReason, Long> count(TopicName topic, LetterFilter filter, Place end);

  /** The place of the newest letter of all; {@link Place#FIRST} when there is none. */
  Place newest();

  /** How many letters are in each queue of each topic, those without left out. */
  Map<TopicName, Map<Integer, Long>> segments();

  /** The letters in one queue. */
  Set<Place> places(TopicName topic, int segment);
}
