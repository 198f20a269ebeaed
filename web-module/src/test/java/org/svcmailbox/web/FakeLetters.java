package org.svcmailbox.web;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.deadletter.CheckedLetter;
import org.svcmailbox.core.deadletter.DeadLetterService;
import org.svcmailbox.core.deadletter.LetterFilter;
import org.svcmailbox.core.deadletter.LetterGroup;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.NotFoundException;

/** Dead letters that a test sets; records the last call. */
public final class FakeLetters implements DeadLetterService {
  /** The last call with its arguments, except the filter. */
  public volatile String asked = "";

  public volatile LetterFilter filter = LetterFilter.ALL;

  /** The next answer. */
  public volatile Page page = new Page(List.of(), null);

  /** The next answer. */
  public volatile List<LetterGroup> groups = List.of();

  /** The only letter. */
  public volatile @Nullable CheckedLetter content;

  @Override
  public Page list(
      Caller caller, TopicName topic, LetterFilter wanted, LetterPosition before, int limit) {
    asked = "list " + topic + " " + Long.toHexString(before.bits()) + " " + limit;
    filter = wanted;
    return page;
  }

  @Override
  public List<LetterGroup> groups(Caller caller, TopicName topic, LetterFilter wanted) {
    asked = "groups " + topic;
    filter = wanted;
    return groups;
  }

  @Override
  public CheckedLetter read(Caller caller, TopicName topic, MsgId msgId) {
    asked = "read " + topic + " " + msgId;
    CheckedLetter found = content;
    if (found == null) {
      throw new NotFoundException("there is none");
    }
    return found;
  }
}
