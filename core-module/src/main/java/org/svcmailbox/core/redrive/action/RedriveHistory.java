package org.svcmailbox.core.redrive.action;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.message.MessageEvent;
import org.svcmailbox.core.message.MessageHistory;

/** Records a redrive in the history of the message. */
public final class RedriveHistory {
  private RedriveHistory() {}

  static MessageHistory of(LetterContent content, Instant now, String note) {
    return content
        .history()
        .with(
            new MessageEvent(
                MessageEvent.Kind.REDRIVEN,
                now.truncatedTo(ChronoUnit.MILLIS),
                content.letter().attempt(),
                note,
                null));
  }

  /** The source of a new message, with a history that names the letter. */
  public static SourceLetter source(LetterContent content, Instant now, String verb) {
    DeadLetter letter = content.letter();
    String note = verb + " from " + letter.topic() + ", message " + letter.msgId();
    return new SourceLetter(
        new LetterAddress(letter.topic(), letter.segment(), letter.position().bits()),
        letter.msgId(),
        of(content, now, note));
  }
}
