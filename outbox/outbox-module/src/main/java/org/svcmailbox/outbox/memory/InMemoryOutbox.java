package org.svcmailbox.outbox.memory;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.publish.EventClaim;
import org.svcmailbox.outbox.publish.Lane;
import org.svcmailbox.outbox.publish.OutboxRepository;
import org.svcmailbox.outbox.publish.OutboxStore;
import org.svcmailbox.outbox.publish.OutboxTransaction;
import org.svcmailbox.outbox.publish.Passes;
import org.svcmailbox.outbox.publish.Position;

/**
 * An outbox in memory. {@link #record} commits at once. One publisher at a time: the second waits
 * for the first one's transaction to end. Thread-safe, unbounded, not durable.
 */
public final class InMemoryOutbox implements Outbox, OutboxStore {
  private static final int MAX_EVENTS = 1000;
  private static final int MAX_CHARACTERS = 8 << 20;

  private final MailboxClock clock;
  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock publishing = new ReentrantLock();
  private final Map<MessageId, OutboxEvent> events = new TreeMap<>();
  private final Map<MessageId, Long> numbers = new HashMap<>();
  private final Map<MessageId, TraceContext> traces = new HashMap<>();
  private final Map<MessageId, Hold> parked = new HashMap<>();
  private final Map<MessageId, Set<String>> accepted = new HashMap<>();

  /** A parked event, and the aggregate that it holds back, if it does. */
  private record Hold(ErrorCode code, @Nullable String aggregate) {}

  public InMemoryOutbox(MailboxClock clock) {
    this.clock = clock;
  }

  @Override
  public MessageId record(NewEvent event) {
    Instant now = clock.now();
    EventRules.require(event, now);
    Instant occurredAt = event.occurredAt() == null ? now : event.occurredAt();
    lock.lock();
    try {
      events.put(event.id(), row(event, occurredAt.truncatedTo(ChronoUnit.MICROS)));
      numbers.putIfAbsent(event.id(), numbers.size() + 1L);
      if (event.trace() != null) {
        traces.put(event.id(), event.trace());
      }
    } finally {
      lock.unlock();
    }
    return event.id();
  }

  private static OutboxEvent row(NewEvent event, Instant occurredAt) {
    return new OutboxEvent(
        event.id().value(),
        event.aggregateType(),
        event.aggregateId(),
        event.eventType(),
        event.eventVersion(),
        event.payload(),
        occurredAt,
        event.correlation().correlationId(),
        event.correlation().causationId(),
        null,
        0,
        null);
  }

  /** The current state of a recorded event. */
  public Optional<OutboxEvent> find(MessageId id) {
    lock.lock();
    try {
      return Optional.ofNullable(events.get(id));
    } finally {
      lock.unlock();
    }
  }

  /** Why an event is parked. */
  public Optional<ErrorCode> parked(MessageId id) {
    lock.lock();
    try {
      return Optional.ofNullable(parked.get(id)).map(Hold::code);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public OutboxTransaction begin(Passes passes) {
    publishing.lock();
    return new Transaction(passes);
  }

  private final class Transaction implements OutboxTransaction, OutboxRepository {
    private final Passes passes;
    private final List<Runnable> changes = new ArrayList<>();

    Transaction(Passes passes) {
      this.passes = passes;
    }

    @Override
    public OutboxRepository events() {
      return this;
    }

    @Override
    public List<OutboxEvent> findUnpublished() {
      BitSet lanes = new BitSet();
      lanes.set(0, Lane.COUNT);
      Position after = passes.begin(lanes);
      List<OutboxEvent> open = open(after);
      List<OutboxEvent> page = new ArrayList<>();
      long characters = 0;
      for (OutboxEvent event : open) {
        if (page.size() == MAX_EVENTS || characters >= MAX_CHARACTERS) {
          break;
        }
        page.add(event);
        characters += event.payload().json().length();
      }
      passes.read(
          lanes,
          page.isEmpty() ? null : position(page.get(page.size() - 1)),
          page.size() == open.size());
      return page;
    }

    private List<OutboxEvent> open(Position after) {
      lock.lock();
      try {
        return events.values().stream()
            .filter(event -> event.publishedAt() == null && !isHeld(event))
            .filter(event -> position(event).compareTo(after) > 0)
            .sorted(Comparator.comparing(this::position))
            .toList();
      } finally {
        lock.unlock();
      }
    }

    private boolean isHeld(OutboxEvent event) {
      return parked.containsKey(event.messageId())
          || parked.values().stream().anyMatch(hold -> event.aggregate().equals(hold.aggregate()));
    }

    private Position position(OutboxEvent event) {
      MessageId id = event.messageId();
      return new Position(event.occurredAt(), numbers.getOrDefault(id, 0L), id);
    }

    @Override
    public void markPublished(MessageId id) {
      Instant now = clock.now();
      change(id, event -> changed(event, now, event.publishError()));
      changes.add(() -> accepted.remove(id));
      changes.add(() -> parked.remove(id));
    }

    @Override
    public void incrementAttempts(MessageId id, String error) {
      change(id, event -> changed(event, event.publishedAt(), error));
    }

    private void change(MessageId id, UnaryOperator<OutboxEvent> change) {
      changes.add(
          () ->
              events.computeIfPresent(
                  id, (key, event) -> event.publishedAt() == null ? change.apply(event) : event));
    }

    private static OutboxEvent changed(
        OutboxEvent event, @Nullable Instant publishedAt, @Nullable String error) {
      return new OutboxEvent(
          event.id(),
          event.aggregateType(),
          event.aggregateId(),
          event.eventType(),
          event.eventVersion(),
          event.payload(),
          event.occurredAt(),
          event.correlationId(),
          event.causationId(),
          publishedAt,
          event.publishAttempts() + 1,
          error);
    }

    @Override
    public EventClaim claim(MessageId id) {
      return find(id).<EventClaim>map(EventClaim.Claimed::new).orElseGet(EventClaim.Unknown::new);
    }

    @Override
    public Optional<TraceContext> trace(MessageId id) {
      lock.lock();
      try {
        return Optional.ofNullable(traces.get(id));
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Set<String> acceptedBy(MessageId id) {
      lock.lock();
      try {
        return Set.copyOf(accepted.getOrDefault(id, Set.of()));
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void accepted(MessageId id, String topic) {
      changes.add(() -> accepted.computeIfAbsent(id, key -> new HashSet<>()).add(topic));
    }

    @Override
    public void park(OutboxEvent event, ErrorCode code, String error, boolean holdsAggregate) {
      Hold hold = new Hold(code, holdsAggregate ? event.aggregate() : null);
      changes.add(() -> parked.put(event.messageId(), hold));
    }

    @Override
    public void commit() {
      lock.lock();
      try {
        changes.forEach(Runnable::run);
        changes.clear();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      publishing.unlock();
    }
  }
}
