package org.svcmailbox.core.redrive.action;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Topic;

/** The letters of one {@link RedriveAsNew}. Its commit sends them and waits for all outcomes. */
final class NewMessages implements LetterAction.TakenLetters {
  private record StagedSend(LetterContent content, Envelope envelope) {}

  private final RedriveAsNew action;
  private final List<LetterContent> letters;
  private final Map<LetterPosition, StagedSend> staged = new LinkedHashMap<>();
  private final Map<LetterPosition, CompletionStage<SendOutcome>> sent = new LinkedHashMap<>();
  private final Set<LetterPosition> moved = new HashSet<>();
  private final Map<LetterPosition, String> failed = new HashMap<>();
  private @Nullable String refusal;
  private @Nullable String doubt;

  NewMessages(RedriveAsNew action, List<LetterContent> letters) {
    this.action = action;
    this.letters = letters;
  }

  @Override
  public Set<LetterPosition> stage(@Nullable Topic topic) {
    for (LetterContent content : letters) {
      LetterPosition position = content.letter().position();
      Envelope envelope = content.letter().envelope();
      if (envelope == null) {
        failed.put(position, LetterAction.UNREADABLE);
      } else {
        staged.put(position, new StagedSend(content, envelope));
      }
    }
    return staged.keySet();
  }

  @Override
  public ActionResult commit() {
    staged.forEach(this::send);
    sent.forEach(this::await);
    if (doubt != null) {
      // Thrown after the last outcome, because the queue now tells which letters have left it.
      throw new UnavailableException(doubt);
    }
    return new ActionResult(moved, failed, refusal, Set.of());
  }

  private void send(LetterPosition position, StagedSend letter) {
    try {
      sent.put(position, action.send(letter.content(), letter.envelope()));
    } catch (UnavailableException | SaturatedException e) {
      refusal = e.getMessage();
    } catch (MailboxException e) {
      failed.put(position, String.valueOf(e.getMessage()));
    }
  }

  private void await(LetterPosition position, CompletionStage<SendOutcome> pending) {
    SendOutcome outcome = RedriveTarget.outcome(pending);
    if (outcome instanceof Refusal refused) {
      refusal = refused.detail();
      doubt = refused.isInDoubt() ? refusal : doubt;
      return;
    }
    String error = error(outcome, action.to());
    if (error == null) {
      moved.add(position);
    } else {
      failed.put(position, error);
    }
  }

  private static @Nullable String error(SendOutcome outcome, TopicName to) {
    MsgId holder = holder(outcome);
    return holder == null
        ? null
        : "its key is still taken in "
            + to
            + " by another message, "
            + holder
            + "; reprocess it when t_replay of that message is over, or resend it with another key";
  }

  private static @Nullable MsgId holder(SendOutcome outcome) {
    if (outcome instanceof SendOutcome.KeyConflict conflict) {
      return conflict.holder();
    }
    return outcome instanceof SendOutcome.Accepted accepted && accepted.duplicate()
        ? accepted.msgId()
        : null;
  }

  /** Does nothing, because the letters are still in their queue. */
  @Override
  public void close() {}
}
