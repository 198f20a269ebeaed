package org.svcmailbox.outbox.publish;

import static java.util.Objects.requireNonNull;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.publish.OutboxHistory.Past;

/**
 * Sends published events to one topic once more, for example as the history for a new consumer.
 * Events of one aggregate are sent one after the other, in order. Each keeps its id as key, so a
 * topic that accepted it within the service's key window answers with a duplicate. The outbox does
 * not change. One thread uses an instance.
 *
 * <p>Begin when every publisher knows the topic, because it then receives all newly published
 * events anyway.
 */
public final class Replay {
  private static final Logger LOG = System.getLogger(Replay.class.getName());

  /** How long to wait for the next answer. */
  static final Duration PATIENCE = Duration.ofSeconds(20);

  private final OutboxHistory history;
  private final String context;
  private final Predicate<EventSubject> filter;
  private final EventPublisher topic;
  private final MailboxClock clock;

  /** The events of the last page that are not settled, in order. */
  private List<Past> open = List.of();

  private @Nullable Instant resumeAt;
  private long sent;
  private long refused;

  /**
   * A replay that has sent nothing yet.
   *
   * @param context the bounded context that publishes the events
   * @param filter whether the topic is to have the events of a subject
   */
  public Replay(
      OutboxHistory history,
      String context,
      Predicate<EventSubject> filter,
      EventPublisher topic,
      MailboxClock clock) {
    this.history = requireNonNull(history, "history");
    this.context = requireNonNull(context, "context");
    this.filter = requireNonNull(filter, "filter");
    this.topic = requireNonNull(topic, "topic");
    this.clock = requireNonNull(clock, "clock");
  }

  /**
   * Sends the next events, or the remaining ones of the previous call.
   *
   * @return whether there may be more
   * @throws PublishException if the topic currently accepts no events; the next call continues
   *     there
   * @throws OutboxStoreException if the database is away; as before
   * @throws InterruptedException if the thread is interrupted; as before
   */
  public boolean step() throws InterruptedException {
    if (open.isEmpty()) {
      List<Past> page = history.next();
      if (page.isEmpty()) {
        return false;
      }
      open = page.stream().filter(past -> isWanted(past.event())).toList();
      resumeAt = publishedAt(page.get(page.size() - 1));
    }
    new Round().run();
    return true;
  }

  private boolean isWanted(OutboxEvent event) {
    try {
      return filter.test(EventSubject.of(context, event.eventType(), event.eventVersion()));
    } catch (OutboxException e) {
      // A row of plain SQL, published under a context that had another name.
      return false;
    }
  }

  private static Instant publishedAt(Past past) {
    return requireNonNull(past.event().publishedAt(), "published");
  }

  /** How many events the topic accepted, with duplicates. */
  public long sent() {
    return sent;
  }

  /** The number of events that the topic refused permanently. Each one is logged. */
  public long refused() {
    return refused;
  }

  /**
   * The instant from which another replay must start to continue this one, sending some events
   * again; empty if nothing was read.
   */
  public Optional<Instant> resumeAt() {
    return open.isEmpty() ? Optional.ofNullable(resumeAt) : Optional.of(publishedAt(open.get(0)));
  }

  /** Sends the open events, and keeps those that are still open after it. */
  private final class Round {
    private final Map<String, Deque<Past>> chains = new LinkedHashMap<>();
    private final Completions completions = new Completions(clock);
    private final Set<Past> settled = Collections.newSetFromMap(new IdentityHashMap<>());
    private int inFlight;
    private @Nullable PublishException failure;

    void run() throws InterruptedException {
      for (Past past : open) {
        chains.computeIfAbsent(past.event().aggregate(), name -> new ArrayDeque<>()).add(past);
      }
      try {
        chains.values().forEach(this::sendNext);
        await();
      } finally {
        open = open.stream().filter(past -> !settled.contains(past)).toList();
      }
      if (failure != null) {
        throw failure;
      }
    }

    private void await() throws InterruptedException {
      while (inFlight > 0) {
        Optional<Runnable> answer = completions.next(clock.deadline(PATIENCE));
        if (answer.isEmpty()) {
          throw PublishException.unavailable("no answer in time", null, null);
        }
        answer.get().run();
      }
    }

    private void sendNext(Deque<Past> chain) {
      Past past = chain.poll();
      if (past != null && failure == null) {
        inFlight++;
        completions.watch(Replay.this.send(past), (answer, why) -> answered(chain, past, why));
      }
    }

    private void answered(Deque<Past> chain, Past past, @Nullable Throwable why) {
      inFlight--;
      PublishException reason = why == null ? null : PublishException.of(why);
      if (reason != null && reason.refusal().isEmpty()) {
        failure = reason;
        return;
      }
      settled.add(past);
      note(past, reason);
      sendNext(chain);
    }
  }

  private CompletionStage<Published> send(Past past) {
    OutboxEvent event = past.event();
    EventSubject subject = EventSubject.of(context, event.eventType(), event.eventVersion());
    try {
      return topic.publish(subject, event.payload(), Headers.of(event, past.trace()));
    } catch (RuntimeException e) {
      return CompletableFuture.failedStage(e);
    }
  }

  private void note(Past past, @Nullable PublishException refusal) {
    if (refusal == null) {
      sent++;
    } else {
      refused++;
      LOG.log(Level.WARNING, "Event {0} is refused: {1}", past.event().id(), refusal.getMessage());
    }
  }
}
