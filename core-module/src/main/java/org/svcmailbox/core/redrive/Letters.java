package org.svcmailbox.core.redrive;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.delivery.LetterAddress;
import org.svcmailbox.core.delivery.MessageEvent;
import org.svcmailbox.core.delivery.MessageHistory;
import org.svcmailbox.core.delivery.Origin;

/** What messages that were letters say of that. */
final class Letters {
  /** Why a letter can be nothing but discarded. */
  static final String UNREADABLE = "it cannot be read as a message; it can only be discarded";

  private Letters() {}

  /** A letter's history, and that it came back. */
  static MessageHistory reprocessed(LetterContent content, Instant now, String note) {
    return content
        .history()
        .with(
            new MessageEvent(
                MessageEvent.Kind.REPROCESSED,
                now.truncatedTo(ChronoUnit.MILLIS),
                content.letter().attempt(),
                note,
                null));
  }

  /** Where a new message comes from that is made of a letter. */
  static Origin origin(LetterContent content, Instant now, String what) {
    DeadLetter letter = content.letter();
    String note = what + " from " + letter.topic() + ", message " + letter.msgId();
    return new Origin(
        new LetterAddress(letter.topic(), letter.segment(), letter.place().bits()),
        reprocessed(content, now, note));
  }
}
