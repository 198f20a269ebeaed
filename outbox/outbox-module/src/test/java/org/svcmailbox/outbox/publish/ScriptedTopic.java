package org.svcmailbox.outbox.publish;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.Payload;

/** A topic that keeps what it accepts, each key once, and fails as it is told. */
public final class ScriptedTopic implements EventPublisher {
  private final Map<MessageId, Headers> accepted = new LinkedHashMap<>();
  private final List<MessageId> calls = new ArrayList<>();
  private final Map<MessageId, CompletableFuture<Published>> open = new LinkedHashMap<>();
  private Function<MessageId, @Nullable PublishException> failure = id -> null;
  private boolean isSilent;
  private @Nullable MessageId thrownFor;

  @Override
  public synchronized CompletionStage<Published> publish(
      EventSubject subject, Payload payload, Headers headers) {
    MessageId id = headers.messageId();
    calls.add(id);
    if (isSilent) {
      return open.computeIfAbsent(id, key -> new CompletableFuture<>());
    }
    if (id.equals(thrownFor)) {
      throw new IllegalStateException("a bug");
    }
    PublishException why = failure.apply(id);
    if (why != null) {
      return CompletableFuture.failedStage(why);
    }
    boolean duplicate = accepted.putIfAbsent(id, headers) != null;
    return CompletableFuture.completedStage(new Published(id.toString(), duplicate));
  }

  /** Fails events; null for those that it accepts. */
  public synchronized void failWith(Function<MessageId, @Nullable PublishException> why) {
    failure = why;
  }

  /** Accepts all events from now on. */
  public synchronized void heal() {
    failure = id -> null;
    isSilent = false;
    thrownFor = null;
  }

  /** Throws for one event, where it should fail the stage. */
  synchronized void throwFor(MessageId id) {
    thrownFor = id;
  }

  /** Answers nothing from now on, until told. */
  public synchronized void silence() {
    isSilent = true;
  }

  /** Accepts an event that waits for its answer. */
  public synchronized void answer(MessageId id) {
    open.getOrDefault(id, new CompletableFuture<>()).complete(new Published("1", false));
  }

  /** The accepted events, in order. */
  public synchronized List<MessageId> accepted() {
    return List.copyOf(accepted.keySet());
  }

  synchronized Headers headers(MessageId id) {
    return requireNonNull(accepted.get(id), () -> id + " was not accepted");
  }

  /** The ids of all calls, in order. */
  public synchronized List<MessageId> calls() {
    return List.copyOf(calls);
  }
}
