package org.svcmailbox.core.redrive.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import org.svcmailbox.core.audit.AuditLog;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Attributes;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.IdemKey;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.mailbox.RedriveTarget;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.redrive.RedriveService.Resend;
import org.svcmailbox.core.redrive.action.RedriveHistory;

/** Sends one letter as a new message with changes. */
record LetterResend(
    Redrive.Letters letters, RedriveTarget target, AuditLog audit, InstantSource wall) {

  static TopicName topicOf(Resend resend) {
    return resend.toTopic() == null ? resend.topic() : resend.toTopic();
  }

  static IdemKey keyOf(Resend resend) {
    return resend.idemKey() == null ? new IdemKey("resend-" + resend.msgId()) : resend.idemKey();
  }

  /** Notes the resend in the audit, sends the message and waits for its outcome. */
  SendOutcome send(Caller caller, Resend resend) {
    letters.deadLetters().flush();
    LetterContent content = read(resend);
    SendRequest request = request(resend, content);
    Instant now = wall.instant();
    audit.note(caller.audit(now, "dlq.resend", resend.msgId().toString(), note(resend)));
    SendOutcome outcome =
        RedriveTarget.outcome(
            target.send(request, RedriveHistory.source(content, now, "sent again")));
    if (outcome instanceof SendOutcome.Accepted accepted && !accepted.duplicate()) {
      letters.deadLetters().removed(resend.topic(), content.letter().position());
      target.lettersRemoved(resend.topic());
    }
    return outcome;
  }

  private LetterContent read(Resend resend) {
    return letters
        .index()
        .find(resend.topic(), resend.msgId())
        .flatMap(letters.queues()::read)
        .orElseThrow(
            () ->
                new NotFoundException(
                    "no dead letter of " + resend.topic() + " is " + resend.msgId()));
  }

  private static SendRequest request(Resend resend, LetterContent content) {
    Envelope envelope = content.letter().envelope();
    return new SendRequest(
        topicOf(resend),
        resend.payload() == null ? content.payload() : resend.payload(),
        keyOf(resend),
        attributes(resend, envelope == null ? Attributes.NONE : envelope.attrs()),
        envelope == null ? null : envelope.corrId(),
        null,
        Duration.ZERO,
        resend.ttl() == null ? content.ttl() : resend.ttl(),
        null,
        null,
        content.trace());
  }

  private static Attributes attributes(Resend resend, Attributes own) {
    Attributes given = resend.attrs() == null ? own : resend.attrs();
    Map<String, String> attrs = new HashMap<>(given.values());
    attrs.put(Resend.LINK, resend.msgId().toString());
    // Left out if there is no room: the history also names the letter, and consumers must accept
    // only as many attributes as senders.
    return attrs.size() > Attributes.MAX_COUNT ? given : new Attributes(attrs);
  }

  private static String note(Resend resend) {
    return "topic=%s to=%s%s%s%s; %s"
        .formatted(
            resend.topic(),
            topicOf(resend),
            resend.payload() == null ? "" : " payload",
            resend.attrs() == null ? "" : " attrs",
            JobNotes.ttl(resend.ttl()),
            resend.note());
  }
}
