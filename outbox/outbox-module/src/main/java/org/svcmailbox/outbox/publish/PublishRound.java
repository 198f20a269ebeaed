package org.svcmailbox.outbox.publish;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.Reason;
import org.svcmailbox.outbox.publish.PublisherSettings.OnParked;

/**
 * Sends the events of one transaction: those of different aggregates at once, those of one
 * aggregate each after the answer to the one before. An answer that has not come when the time is
 * up counts as none, and the event is sent again later under the same key.
 */
final class PublishRound {
  private final Publishing with;
  private final OutboxTransaction transaction;
  private final Completions completions;
  private final Map<String, Deque<OutboxEvent>> chains = new LinkedHashMap<>();
  private final Set<Attempt> inFlight = new HashSet<>();
  private final List<Attempt> published = new ArrayList<>();
  private final Map<MessageId, String> failures = new HashMap<>();
  private final long lastStart;

  PublishRound(Publishing with, OutboxTransaction transaction) {
    this.with = with;
    this.transaction = transaction;
    completions = new Completions(with.clock());
    lastStart = with.clock().deadline(with.settings().round());
  }

  /**
   * Sends the events and stages what became of them, without a commit.
   *
   * @return those that are published
   */
  List<Attempt> run(List<OutboxEvent> events) throws InterruptedException {
    for (OutboxEvent event : events) {
      chains.computeIfAbsent(event.aggregate(), name -> new ArrayDeque<>()).add(event);
    }
    List.copyOf(chains.keySet()).forEach(this::startNext);
    MailboxClock clock = with.clock();
    long end = clock.deadline(with.settings().round().plus(with.settings().answers()));
    while (!inFlight.isEmpty()) {
      Optional<Runnable> answer = completions.next(end);
      if (answer.isEmpty()) {
        List.copyOf(inFlight).forEach(this::abandon);
        break;
      }
      answer.get().run();
    }
    return published;
  }

  /** The errors of the events that failed. */
  Map<MessageId, String> failures() {
    return failures;
  }

  /**
   * Starts the next event of an aggregate, and continues with the one after it if that one is over.
   */
  private void startNext(String aggregate) {
    Deque<OutboxEvent> chain = chains.getOrDefault(aggregate, new ArrayDeque<>());
    while (!chain.isEmpty()) {
      if (with.passes().isBlocked(aggregate) || with.clock().isPast(lastStart)) {
        with.passes().block(aggregate);
        return;
      }
      if (start(chain.remove())) {
        return;
      }
    }
  }

  /** Returns whether the event is in flight now. */
  private boolean start(OutboxEvent event) {
    EventSubject subject;
    try {
      subject = EventRules.require(event, with.settings().context());
    } catch (OutboxException e) {
      park(event, e.code(), String.valueOf(e.getMessage()));
      return false;
    }
    List<String> topics = with.routes().topics(subject);
    if (topics.isEmpty() && !subject.isDeadLetter()) {
      park(event, ErrorCode.NO_ROUTE, "no consumer subscribes to " + subject);
      return false;
    }
    Set<String> done = transaction.acceptedBy(event.messageId());
    List<String> open =
        done.isEmpty() ? topics : topics.stream().filter(topic -> !done.contains(topic)).toList();
    if (!with.paused().admit(open)) {
      with.passes().block(event.aggregate());
      return false;
    }
    return send(event, subject, open);
  }

  private boolean send(OutboxEvent event, EventSubject subject, List<String> topics) {
    Attempt attempt = new Attempt(event, subject, topics);
    if (topics.isEmpty()) {
      finish(attempt);
      return false;
    }
    Headers headers = Headers.of(event, transaction.trace(event.messageId()).orElse(null));
    inFlight.add(attempt);
    for (String topic : topics) {
      completions.watch(
          publish(topic, subject, event, headers),
          (answer, failure) -> answered(attempt, topic, failure));
    }
    return true;
  }

  /** An exception of the host's publisher fails this event alone. */
  private CompletionStage<Published> publish(
      String topic, EventSubject subject, OutboxEvent event, Headers headers) {
    try {
      return with.publishers().apply(topic).publish(subject, event.payload(), headers);
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private void answered(Attempt attempt, String topic, @Nullable Throwable failure) {
    if (failure == null) {
      with.paused().accepted(topic);
      attempt.accepted(topic);
    } else {
      failed(attempt, topic, failure);
    }
    if (attempt.isAnswered() && inFlight.remove(attempt)) {
      finish(attempt);
      startNext(attempt.event.aggregate());
    }
  }

  private void failed(Attempt attempt, String topic, Throwable failure) {
    PublishException why = PublishException.of(failure);
    attempt.failed(topic, why);
    if (why.refusal().isPresent()) {
      with.paused().answered(topic);
    } else {
      with.paused().failed(topic, why);
      with.listener().paused(topic, why);
    }
  }

  private void abandon(Attempt attempt) {
    PublishException why = PublishException.unavailable("no answer in time", null, null);
    attempt.unanswered().forEach(topic -> with.paused().failed(topic, why));
    inFlight.remove(attempt);
    fail(attempt.event, "no answer in time; it may be published");
    with.passes().block(attempt.event.aggregate());
  }

  private void finish(Attempt attempt) {
    OutboxEvent event = attempt.event;
    if (attempt.isPublished()) {
      transaction.events().markPublished(event.messageId());
      published.add(attempt);
      return;
    }
    attempt.acceptedBy().forEach(topic -> transaction.accepted(event.messageId(), topic));
    Optional<PublishException> refusal = attempt.refusal();
    if (refusal.isPresent()) {
      park(event, refusal.get().refusal().orElse(ErrorCode.REFUSED), attempt.error());
    } else {
      fail(event, Reason.of(attempt.error()));
      with.passes().block(event.aggregate());
    }
  }

  private void park(OutboxEvent event, ErrorCode code, String error) {
    boolean holdsAggregate = with.settings().onParked() == OnParked.HOLD;
    String reason = Reason.of(error);
    fail(event, reason);
    transaction.park(event, code, reason, holdsAggregate);
    with.listener().parked(event, code);
    if (holdsAggregate) {
      with.passes().block(event.aggregate());
    }
  }

  private void fail(OutboxEvent event, String error) {
    failures.put(event.messageId(), error);
    transaction.events().incrementAttempts(event.messageId(), error);
  }
}
