package org.svcmailbox.outbox.publish;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventRules;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;

/** The contract of an outbox with its publisher. */
public abstract class OutboxStoreContract {
  private static final Instant EARLIER = Instant.parse("2025-11-23T12:00:00.000001Z");

  /** A trace. */
  protected static final TraceContext TRACE =
      new TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b");

  /** The clock of the passes. */
  protected final VirtualClock clock = new VirtualClock();

  private final Passes passes = new Passes(clock);

  /** An empty outbox. */
  protected abstract OutboxStore store() throws Exception;

  /** Records events, in one transaction. */
  protected abstract void record(List<NewEvent> events) throws Exception;

  /** A row. */
  protected abstract Optional<OutboxEvent> find(MessageId id) throws Exception;

  /** An event of an aggregate, a number of seconds after the first. */
  protected static NewEvent event(String order, int second) {
    return NewEvent.of("order", order, "paid", "{\"n\":1}")
        .withOccurredAt(EARLIER.plusSeconds(second));
  }

  private static List<MessageId> ids(List<OutboxEvent> events) {
    return events.stream().map(OutboxEvent::messageId).toList();
  }

  /** Both halves of the lanes, from the head. */
  protected final List<MessageId> claimAll() throws Exception {
    clock.advance(Duration.ofSeconds(1));
    List<MessageId> found = new ArrayList<>();
    for (int half = 0; half < 2; half++) {
      try (OutboxTransaction transaction = store().begin(passes)) {
        found.addAll(ids(transaction.events().findUnpublished()));
      }
    }
    return found.stream().distinct().toList();
  }

  /** Something to do with a claimed event. */
  protected interface Work {
    /** Does it. */
    void with(OutboxTransaction transaction, OutboxEvent event);
  }

  /** Claims an event, works on it, and commits. */
  protected final void commit(MessageId id, Work work) throws Exception {
    clock.advance(Duration.ofSeconds(1));
    for (int half = 0; half < 2; half++) {
      try (OutboxTransaction transaction = store().begin(passes)) {
        for (OutboxEvent event : transaction.events().findUnpublished()) {
          if (event.messageId().equals(id)) {
            work.with(transaction, event);
            transaction.commit();
            return;
          }
        }
      }
    }
    throw new AssertionError(id + " was not claimed");
  }

  private OutboxEvent row(MessageId id) throws Exception {
    return find(id).orElseThrow();
  }

  @Test
  void anEventIsReadAsItWasRecorded() throws Exception {
    UUID correlation = UUID.randomUUID();
    UUID causation = UUID.randomUUID();
    NewEvent event =
        event("1", 0).withVersion(7).withCorrelation(correlation, causation).withTrace(TRACE);
    record(List.of(event));
    commit(
        event.id(),
        (transaction, row) -> {
          assertEquals("order", row.aggregateType());
          assertEquals("1", row.aggregateId());
          assertEquals("paid", row.eventType());
          assertEquals(7, row.eventVersion());
          assertEquals("{\"n\":1}", row.payload().json().replace(" ", ""));
          assertEquals(EARLIER, row.occurredAt());
          assertEquals(correlation, row.correlationId());
          assertEquals(causation, row.causationId());
          assertNull(row.publishedAt());
          assertNull(row.publishError());
          assertEquals(0, row.publishAttempts());
          assertEquals(Optional.of(TRACE), transaction.trace(row.messageId()));
        });
  }

  @Test
  void anEventNeedsNoMoreThanItsIdentity() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    assertNull(row(event.id()).correlationId());
    assertNull(row(event.id()).causationId());
    commit(
        event.id(),
        (transaction, row) -> assertEquals(Optional.empty(), transaction.trace(row.messageId())));
  }

  @Test
  void eventsComeInTheOrderInWhichTheyOccurredAndThenWereRecorded() throws Exception {
    NewEvent third = event("1", 2);
    NewEvent first = event("1", 0);
    List<NewEvent> middle =
        Stream.generate(() -> event("1", 1))
            .limit(20)
            .collect(Collectors.toCollection(ArrayList::new));
    Collections.shuffle(middle, new Random(7));
    List<NewEvent> all = new ArrayList<>(List.of(third, first));
    all.addAll(middle);
    record(all);
    List<NewEvent> expected = new ArrayList<>(List.of(first));
    expected.addAll(middle);
    expected.add(third);
    assertEquals(expected.stream().map(NewEvent::id).toList(), claimAll());
  }

  @Test
  void aPublishedEventIsNotClaimedAgain() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    commit(event.id(), (transaction, row) -> transaction.events().markPublished(row.messageId()));
    assertEquals(List.of(), claimAll());
    assertNotNull(row(event.id()).publishedAt());
    assertEquals(1, row(event.id()).publishAttempts());
  }

  @Test
  void anEventIsMarkedOnce() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    commit(
        event.id(),
        (transaction, row) -> {
          transaction.events().markPublished(row.messageId());
          transaction.events().markPublished(row.messageId());
        });
    assertEquals(1, row(event.id()).publishAttempts());
  }

  @Test
  void withoutACommitNothingHappened() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    for (int half = 0; half < 2; half++) {
      try (OutboxTransaction transaction = store().begin(passes)) {
        for (OutboxEvent row : transaction.events().findUnpublished()) {
          transaction.events().markPublished(row.messageId());
        }
      }
    }
    assertEquals(0, row(event.id()).publishAttempts());
    assertEquals(List.of(event.id()), claimAll());
  }

  @Test
  void anAttemptThatFailedIsCounted() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    for (int attempt = 1; attempt <= 3; attempt++) {
      String error = "away " + attempt + "\0";
      commit(
          event.id(),
          (transaction, row) -> transaction.events().incrementAttempts(row.messageId(), error));
      assertEquals(attempt, row(event.id()).publishAttempts());
    }
    assertEquals(
        "away 3", String.valueOf(row(event.id()).publishError()).replace('\0', ' ').strip());
    assertNull(row(event.id()).publishedAt());
  }

  @Test
  void whichTopicsAcceptedAnEventIsRemembered() throws Exception {
    NewEvent event = event("1", 0);
    record(List.of(event));
    commit(
        event.id(),
        (transaction, row) -> {
          transaction.accepted(row.messageId(), "billing");
          transaction.accepted(row.messageId(), "stock");
          transaction.events().incrementAttempts(row.messageId(), "shipping: away");
        });
    commit(
        event.id(),
        (transaction, row) -> {
          assertEquals(Set.of("billing", "stock"), transaction.acceptedBy(row.messageId()));
          transaction.accepted(row.messageId(), "billing");
          transaction.events().markPublished(row.messageId());
        });
    assertNotNull(row(event.id()).publishedAt());
  }

  @Test
  void aParkedEventHoldsBackItsAggregate() throws Exception {
    NewEvent poisoned = event("1", 0);
    NewEvent later = event("1", 1);
    NewEvent other = event("2", 2);
    record(List.of(poisoned, later, other));
    commit(
        poisoned.id(), (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, "no", true));
    assertEquals(List.of(other.id()), claimAll());
  }

  @Test
  void aParkedEventCanLetItsAggregateGoOn() throws Exception {
    NewEvent poisoned = event("1", 0);
    NewEvent later = event("1", 1);
    record(List.of(poisoned, later));
    commit(
        poisoned.id(), (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, "no", false));
    assertEquals(List.of(later.id()), claimAll());
  }

  private void commitOne(MessageId id, Work work) throws Exception {
    try (OutboxTransaction transaction = store().begin(passes)) {
      work.with(
          transaction, assertInstanceOf(EventClaim.Claimed.class, transaction.claim(id)).event());
      transaction.commit();
    }
  }

  @Test
  void anEventIsClaimedByItsId() throws Exception {
    NewEvent event = event("1", 1).withTrace(TRACE);
    record(List.of(event("1", 0), event));
    commitOne(
        event.id(),
        (transaction, row) -> {
          assertEquals(event.id(), row.messageId());
          assertEquals(Optional.of(TRACE), transaction.trace(row.messageId()));
          transaction.accepted(row.messageId(), "billing");
          transaction.events().incrementAttempts(row.messageId(), "shipping: away");
        });
    commitOne(
        event.id(),
        (transaction, row) -> {
          assertEquals(Set.of("billing"), transaction.acceptedBy(row.messageId()));
          transaction.events().markPublished(row.messageId());
        });
    commitOne(event.id(), (transaction, row) -> assertNotNull(row.publishedAt()));
    assertEquals(1, claimAll().size());
  }

  @Test
  void anEventThatIsNotThereIsUnknown() throws Exception {
    try (OutboxTransaction transaction = store().begin(passes)) {
      assertEquals(new EventClaim.Unknown(), transaction.claim(MessageId.next()));
    }
  }

  @Test
  void aParkedEventThatIsPublishedHoldsNothingBack() throws Exception {
    NewEvent parked = event("1", 0);
    NewEvent later = event("1", 1);
    record(List.of(parked, later));
    commit(parked.id(), (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, "no", true));
    assertEquals(List.of(), claimAll());
    commitOne(
        parked.id(), (transaction, row) -> transaction.events().markPublished(row.messageId()));
    assertEquals(List.of(later.id()), claimAll());
  }

  @Test
  void aParkedEventIsParkedForAnotherReason() throws Exception {
    NewEvent parked = event("1", 0);
    NewEvent later = event("1", 1);
    record(List.of(parked, later));
    commit(
        parked.id(), (transaction, row) -> transaction.park(row, ErrorCode.NO_ROUTE, "no", true));
    commitOne(
        parked.id(),
        (transaction, row) -> transaction.park(row, ErrorCode.REFUSED, "never", false));
    assertEquals(List.of(later.id()), claimAll());
  }

  @Test
  void aRowThatCommitsLateWithAnEarlierTimeIsFound() throws Exception {
    NewEvent first = event("1", 10);
    record(List.of(first));
    assertEquals(List.of(first.id()), claimAll());
    NewEvent late = event("2", 0);
    record(List.of(late));
    assertEquals(List.of(late.id(), first.id()), sorted(claimAll(), late, first));
  }

  /** The halves of the lanes come one after the other, so their order says nothing. */
  private static List<MessageId> sorted(List<MessageId> found, NewEvent... order) {
    List<MessageId> sorted = new ArrayList<>();
    for (NewEvent event : order) {
      if (found.contains(event.id())) {
        sorted.add(event.id());
      }
    }
    assertEquals(sorted.size(), found.size());
    return sorted;
  }

  @Test
  void aPageHasABound() throws Exception {
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < 1_001; i++) {
      events.add(event("1", i));
    }
    record(events);
    List<MessageId> all = events.stream().map(NewEvent::id).toList();
    Passes own = new Passes(clock);
    List<List<MessageId>> pages = new ArrayList<>();
    for (int claim = 0; claim < 4; claim++) {
      try (OutboxTransaction transaction = store().begin(own)) {
        pages.add(ids(transaction.events().findUnpublished()));
      }
    }
    pages.removeIf(List::isEmpty);
    assertEquals(all.subList(0, 1_000), pages.get(0));
    assertEquals(all.subList(1_000, 1_001), pages.get(1));
  }

  @Test
  void aPageHasABoundInBytesToo() throws Exception {
    String text = '"' + "a".repeat(EventRules.MAX_PAYLOAD_BYTES - 2) + '"';
    List<NewEvent> events = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      events.add(NewEvent.of("order", "1", "paid", text).withOccurredAt(EARLIER.plusSeconds(i)));
    }
    record(events);
    Passes own = new Passes(clock);
    List<Integer> sizes = new ArrayList<>();
    for (int claim = 0; claim < 4; claim++) {
      try (OutboxTransaction transaction = store().begin(own)) {
        sizes.add(transaction.events().findUnpublished().size());
      }
    }
    sizes.removeIf(size -> size == 0);
    assertEquals(List.of(16, 4), sizes);
  }
}
