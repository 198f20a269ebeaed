package org.svcmailbox.core.deadletter;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;

/**
 * Search over dead letters. Requires {@code dlq.view} of the topic. Throws {@code
 * NotFoundException} for an unknown topic or letter, {@code UnavailableException} when the broker
 * or the database is away.
 */
public interface DeadLetterService {
  int MAX_PAGE = 100;

  int MAX_GROUPS = 200;

  /** A page of letters, newest first; {@code next} is null on the last. */
  record Page(List<DeadLetter> letters, @Nullable LetterPosition next) {}

  /**
   * Lists matching letters from {@link Page#next} of the page before, or {@link
   * LetterPosition#LAST}.
   */
  Page list(Caller caller, TopicName topic, LetterFilter filter, LetterPosition before, int limit);

  /** The largest groups of matching letters, at most {@link #MAX_GROUPS}. */
  List<LetterGroup> groups(Caller caller, TopicName topic, LetterFilter filter);

  /** Reads a letter and compares it with the topic's ledger. */
  CheckedLetter read(Caller caller, TopicName topic, MsgId msgId);
}
