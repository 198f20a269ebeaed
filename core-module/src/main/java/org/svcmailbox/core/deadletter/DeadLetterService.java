package org.svcmailbox.core.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Dead letters as operators look for them. Needs the right to {@code dlq.view} of the topic; throws
 * {@code DeniedException} without, {@code NotFoundException} when there is no such topic or letter,
 * and {@code UnavailableException} when the broker or the database is away.
 */
public interface DeadLetterService {
  /** The most letters of one page. */
  int MAX_PAGE = 100;

  /** The most groups. */
  int MAX_GROUPS = 200;

  /**
   * Some letters, newest first.
   *
   * @param next where the next page begins, null behind the last
   */
  record Page(List<DeadLetter> letters, @Nullable Place next) {}

  /**
   * The letters that a filter means; every letter that was there when this was called.
   *
   * @param before where the page begins: what {@link Page#next} said of the one before, {@link
   *     Place#LAST} for the first
   * @param limit at most so many, 1 to {@link #MAX_PAGE}
   */
  Page list(Caller caller, TopicName topic, LetterFilter filter, Place before, int limit);

  /** The largest groups of letters that a filter means, at most {@link #MAX_GROUPS}. */
  List<LetterGroup> groups(Caller caller, TopicName topic, LetterFilter filter);

  /** A letter and its payload, compared with the topic's ledger. */
  CheckedLetter read(Caller caller, TopicName topic, MsgId msgId);
}
