package org.svcmailbox.core.redrive.action;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.redrive.LetterMover;

/**
 * Sends letters as new messages with the same key, attributes and correlation id. A shard worker
 * enqueues each message and removes its letter in one transaction.
 *
 * @param ttl their new time to live; null keeps each letter's own
 * @param note names the job in the histories
 */
public record RedriveAsNew(
    LetterMover mover,
    RedriveTarget target,
    TopicName to,
    @Nullable Duration ttl,
    String note,
    InstantSource wall)
    implements LetterAction {

  @Override
  public boolean needsSteadyTopic() {
    return false;
  }

  /** Reads the letters and returns them to their queue, from which the worker takes them. */
  @Override
  public TakenLetters take(List<DeadLetter> letters) {
    try (LetterMover.Transaction transaction = mover.take(letters)) {
      Map<LetterPosition, LetterContent> taken = transaction.letters();
      List<LetterContent> contents =
          letters.stream()
              .map(DeadLetter::position)
              .filter(taken::containsKey)
              .map(taken::get)
              .toList();
      return new NewMessages(this, contents);
    }
  }

  CompletionStage<SendOutcome> send(LetterContent content, Envelope envelope) {
    SendRequest request =
        new SendRequest(
            to,
            content.payload(),
            envelope.idemKey(),
            envelope.attrs(),
            envelope.corrId(),
            null,
            Duration.ZERO,
            ttl != null ? ttl : content.ttl(),
            null,
            envelope.sig(),
            content.trace());
    return target.send(
        request, RedriveHistory.source(content, wall.instant(), note + ": reprocessed"));
  }
}
