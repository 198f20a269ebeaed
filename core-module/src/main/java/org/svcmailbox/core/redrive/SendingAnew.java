package org.svcmailbox.core.redrive;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.delivery.Readmission;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.UnavailableException;

/**
 * Letters become new messages of a topic, with their keys, attributes and correlation ids: as any
 * SEND, but that the letter leaves its queue in the same transaction.
 *
 * @param to the topic
 */
record SendingAnew(LetterMover mover, Readmission readmission, TopicName to, InstantSource wall)
    implements Move {

  @Override
  public Moved move(List<DeadLetter> letters, Plan plan) {
    Map<Place, String> failed = new HashMap<>();
    Map<Place, LetterContent> wanted = new LinkedHashMap<>();
    for (LetterContent content : read(letters)) {
      Place place = content.letter().place();
      if (content.letter().envelope() == null) {
        failed.put(place, Letters.UNREADABLE);
      } else {
        wanted.put(place, content);
      }
    }
    if (wanted.isEmpty()) {
      return new Moved(Set.of(), failed, null);
    }
    plan.about(wanted.keySet());
    return sent(wanted, failed);
  }

  /** Each is given back before it is sent: only the worker that sends it may take it. */
  private List<LetterContent> read(List<DeadLetter> letters) {
    DeadLetter first = letters.get(0);
    List<Place> places = letters.stream().map(DeadLetter::place).toList();
    try (LetterMover.Transaction taken = mover.take(first.topic(), first.segment(), places)) {
      return places.stream()
          .filter(taken.letters()::containsKey)
          .map(place -> taken.letters().get(place))
          .toList();
    }
  }

  private Moved sent(Map<Place, LetterContent> wanted, Map<Place, String> failed) {
    Map<Place, CompletionStage<SendOutcome>> underWay = new LinkedHashMap<>();
    String refusal = null;
    for (Map.Entry<Place, LetterContent> one : wanted.entrySet()) {
      try {
        underWay.put(one.getKey(), send(one.getValue()));
      } catch (UnavailableException | SaturatedException e) {
        refusal = e.getMessage();
      } catch (MailboxException e) {
        failed.put(one.getKey(), String.valueOf(e.getMessage()));
      }
    }
    String doubt = null;
    Set<Place> moved = new HashSet<>();
    for (Map.Entry<Place, CompletionStage<SendOutcome>> one : underWay.entrySet()) {
      SendOutcome outcome = Readmission.outcome(one.getValue());
      if (outcome instanceof Refusal refused) {
        refusal = refused.detail();
        doubt = refused.isInDoubt() ? refusal : doubt;
      } else {
        judge(one.getKey(), outcome, moved, failed);
      }
    }
    if (doubt != null) {
      // Only now that none is under way any more: the queue tells which have left it.
      throw new UnavailableException(doubt);
    }
    return new Moved(moved, failed, refusal);
  }

  private void judge(
      Place place, SendOutcome outcome, Set<Place> moved, Map<Place, String> failed) {
    String why = failure(outcome);
    if (why == null) {
      moved.add(place);
    } else {
      failed.put(place, why);
    }
  }

  private CompletionStage<SendOutcome> send(LetterContent content) {
    return readmission.send(
        request(content), Letters.origin(content, wall.instant(), "reprocessed"));
  }

  private SendRequest request(LetterContent content) {
    Envelope envelope = content.letter().envelope();
    if (envelope == null) {
      throw new IllegalArgumentException(Letters.UNREADABLE);
    }
    return new SendRequest(
        to,
        content.payload(),
        envelope.idemKey(),
        envelope.attrs(),
        envelope.corrId(),
        null,
        Duration.ZERO,
        content.ttl(),
        null,
        envelope.sig(),
        content.trace());
  }

  /** Null when it was sent. */
  private @Nullable String failure(SendOutcome outcome) {
    if (outcome instanceof SendOutcome.KeyConflict conflict) {
      return "its key is taken in " + to + " by another message, " + conflict.holder();
    }
    return outcome instanceof SendOutcome.Accepted accepted && accepted.duplicate()
        ? "its key is still taken in " + to + " by " + accepted.msgId() + "; try again later"
        : null;
  }
}
