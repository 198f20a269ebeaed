package org.svcmailbox.outbox.publish;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.OutboxEvent;
import org.svcmailbox.outbox.event.TraceContext;
import org.svcmailbox.outbox.memory.InMemoryOutbox;
import org.svcmailbox.outbox.publish.PublisherSettings.OnParked;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.OwnThread;

class OutboxPublisherTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final VirtualClock clock = new VirtualClock();
  private final InMemoryOutbox outbox = new InMemoryOutbox(clock);
  private final ScriptedTopic billing = new ScriptedTopic();
  private final ScriptedTopic shipping = new ScriptedTopic();
  private final List<Object> heard = new ArrayList<>();
  private final OutboxPublisher publisher = publisher(OnParked.HOLD);

  private OutboxPublisher publisher(OnParked onParked) {
    return OutboxPublisher.builder(
            outbox,
            PublisherSettings.of("shop").withOnParked(onParked),
            subject ->
                switch (subject.eventType()) {
                  case "paid" -> List.of("billing");
                  case "placed" -> List.of("billing", "shipping");
                  default -> List.of();
                },
            topic -> topic.equals("billing") ? billing : shipping)
        .clock(clock)
        .random(() -> 0.0)
        .listener(
            new PublishListener() {
              @Override
              public void published(OutboxEventPublished event) {
                heard.add(event.outboxId());
              }

              @Override
              public void parked(OutboxEvent event, ErrorCode code) {
                heard.add(code);
                throw new IllegalStateException("a listener's own failure");
              }

              @Override
              public void paused(String topic, PublishException why) {
                heard.add(topic);
              }
            })
        .build();
  }

  private MessageId record(String order, String type) {
    MessageId id = outbox.record(NewEvent.of("order", order, type, "{}"));
    clock.advance(Duration.ofNanos(1_000));
    return id;
  }

  private OutboxEvent row(MessageId id) {
    return outbox.find(id).orElseThrow();
  }

  /** One round of a new pass. */
  private void nextPass() throws InterruptedException {
    clock.advance(Duration.ofSeconds(60));
    int unused = publisher.step();
  }

  private static PublishException away() {
    return PublishException.unavailable("away", null, null);
  }

  private static PublishException refused() {
    return PublishException.refused(ErrorCode.REFUSED, "no", null);
  }

  @Test
  void anEventGoesToEveryTopicOfItsSubject() throws Exception {
    MessageId id = record("1", "placed");
    assertEquals(1, publisher.step());
    assertEquals(List.of(id), billing.accepted());
    assertEquals(List.of(id), shipping.accepted());
    assertNotNull(row(id).publishedAt());
    assertEquals(1, row(id).publishAttempts());
    assertEquals(List.of(id), heard);
    assertEquals(0, publisher.step());
  }

  @Test
  void whatTravelsBesideThePayload() throws Exception {
    UUID correlation = UUID.randomUUID();
    UUID causation = UUID.randomUUID();
    MessageId id =
        outbox.record(
            NewEvent.of("order", "1", "paid", "{}")
                .withCorrelation(correlation, causation)
                .withTrace(new TraceContext(TRACE, "a=b")));
    assertEquals(1, publisher.step());
    Headers headers = billing.headers(id);
    assertEquals("order:1", headers.aggregate());
    assertEquals(correlation, headers.correlation().correlationId());
    assertEquals(causation, headers.correlation().causationId());
    assertEquals(new TraceContext(TRACE, "a=b"), headers.trace());
    assertEquals(row(id).occurredAt(), headers.occurredAt());
  }

  @Test
  void eventsOfAnAggregateGoOneAfterTheOther() throws Exception {
    List<MessageId> ids = List.of(record("1", "paid"), record("1", "paid"), record("1", "paid"));
    billing.silence();
    CompletableFuture<Integer> round =
        CompletableFuture.supplyAsync(this::stepUnchecked, OwnThread.EXECUTOR);
    for (int sent = 1; sent <= ids.size(); sent++) {
      clock.awaitWaiters(1);
      assertEquals(ids.subList(0, sent), billing.calls());
      billing.answer(ids.get(sent - 1));
      int next = Math.min(sent + 1, ids.size());
      Deadline.in(PATIENCE).await(() -> billing.calls().size() == next, () -> "the next event");
    }
    assertEquals(3, round.get(10, TimeUnit.SECONDS));
    assertTrue(ids.stream().allMatch(id -> row(id).publishedAt() != null));
  }

  private int stepUnchecked() {
    try {
      return publisher.step();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aTopicThatIsAwayPausesAndNoLaterEventOvertakes() throws Exception {
    MessageId first = record("1", "placed");
    MessageId second = record("1", "paid");
    MessageId other = record("2", "paid");
    shipping.failWith(id -> away());
    assertEquals(3, publisher.step());
    assertEquals(List.of(first, other), billing.accepted());
    assertEquals(1, row(first).publishAttempts());
    assertEquals("shipping: away", row(first).publishError());
    assertEquals(0, row(second).publishAttempts());
    shipping.heal();
    nextPass();
    assertEquals(List.of(first, other, second), billing.accepted());
    assertEquals(List.of(first), shipping.accepted());
    assertEquals(2, row(first).publishAttempts());
    // The topic that had accepted it was not asked again.
    assertEquals(List.of(first, other, second), billing.calls());
  }

  @Test
  void aPausedTopicIsTriedWithOneEvent() throws Exception {
    List<MessageId> ids = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ids.add(record(Integer.toString(i), "paid"));
    }
    billing.failWith(id -> away());
    assertEquals(20, publisher.step());
    nextPass();
    assertEquals(21, billing.calls().size());
    billing.heal();
    nextPass();
    nextPass();
    assertEquals(20, billing.accepted().size());
    assertTrue(billing.accepted().containsAll(ids));
  }

  @Test
  void aRefusedEventIsParkedAndHoldsBackItsAggregate() throws Exception {
    MessageId poisoned = record("1", "paid");
    MessageId later = record("1", "paid");
    MessageId other = record("2", "paid");
    billing.failWith(id -> id.equals(poisoned) ? refused() : null);
    assertEquals(3, publisher.step());
    nextPass();
    assertEquals(List.of(other), billing.accepted());
    assertEquals(Optional.of(ErrorCode.REFUSED), outbox.parked(poisoned));
    assertEquals(1, row(poisoned).publishAttempts());
    assertEquals("billing: no", row(poisoned).publishError());
    assertEquals(0, row(later).publishAttempts());
    assertTrue(heard.contains(ErrorCode.REFUSED));
  }

  @Test
  void aParkedEventIsPassedOverWhereThatIsWished() throws Exception {
    MessageId poisoned = record("1", "paid");
    MessageId later = record("1", "paid");
    billing.failWith(id -> id.equals(poisoned) ? refused() : null);
    assertEquals(2, publisher(OnParked.SKIP).step());
    assertEquals(List.of(later), billing.accepted());
  }

  @Test
  void anEventThatNobodySubscribesToIsParked() throws Exception {
    MessageId id = record("1", "cancelled");
    assertEquals(1, publisher.step());
    assertEquals(Optional.of(ErrorCode.NO_ROUTE), outbox.parked(id));
  }

  @Test
  void nobodyNeedSubscribeToTheNewsOfADeadLetter() throws Exception {
    MessageId id = outbox.record(NewEvent.of("inbox_message", "1", "dlq.shop.event.paid.v1", "{}"));
    assertEquals(1, publisher.step());
    assertNotNull(row(id).publishedAt());
    assertEquals(Optional.empty(), outbox.parked(id));
  }

  @Test
  void anAnswerThatNeverComesIsGivenUp() throws Exception {
    MessageId id = record("1", "paid");
    billing.silence();
    CompletableFuture<Integer> round =
        CompletableFuture.supplyAsync(this::stepUnchecked, OwnThread.EXECUTOR);
    clock.awaitWaiters(1);
    clock.advance(Duration.ofSeconds(30));
    assertEquals(1, round.get(10, TimeUnit.SECONDS));
    assertEquals(1, row(id).publishAttempts());
    billing.heal();
    nextPass();
    assertNotNull(row(id).publishedAt());
    assertEquals(List.of(id, id), billing.calls());
  }

  @Test
  void oneEventIsPublishedByItsId() throws Exception {
    MessageId first = record("1", "placed");
    MessageId second = record("1", "placed");
    assertEquals(new PublishOutcome.Done(), publisher.publish(second));
    assertEquals(List.of(second), billing.accepted());
    assertEquals(List.of(second), shipping.accepted());
    assertEquals(List.of(second), heard);
    assertEquals(1, row(second).publishAttempts());
    assertEquals(0, row(first).publishAttempts());
    assertEquals(
        new PublishOutcome.AlreadyPublished(requireNonNull(row(second).publishedAt())),
        publisher.publish(second));
    assertEquals(List.of(second), billing.calls());
    assertEquals(1, row(second).publishAttempts());
    assertEquals(new PublishOutcome.Unknown(), publisher.publish(MessageId.next()));
  }

  @Test
  void anEventThatATopicDoesNotTakeIsNotPublishedByItsId() throws Exception {
    MessageId id = record("1", "placed");
    shipping.failWith(failed -> away());
    assertEquals(new PublishOutcome.Failed("shipping: away"), publisher.publish(id));
    assertEquals(1, row(id).publishAttempts());
    assertEquals("shipping: away", row(id).publishError());
    assertEquals(Optional.empty(), outbox.parked(id));
    shipping.failWith(failed -> refused());
    assertEquals(new PublishOutcome.Failed("shipping: no"), publisher.publish(id));
    assertEquals(Optional.of(ErrorCode.REFUSED), outbox.parked(id));
    // The topic that had accepted it was not asked again.
    assertEquals(List.of(id), billing.calls());
  }

  @Test
  void aParkedEventIsPublishedByItsId() throws Exception {
    MessageId parked = record("1", "paid");
    MessageId later = record("1", "paid");
    billing.failWith(id -> refused());
    assertEquals(2, publisher.step());
    billing.heal();
    assertEquals(new PublishOutcome.Done(), publisher.publish(parked));
    assertEquals(Optional.empty(), outbox.parked(parked));
    nextPass();
    assertEquals(List.of(parked, later), billing.accepted());
  }

  @Test
  void aParkedEventThatIsPublishedInVainStaysParked() throws Exception {
    MessageId parked = record("1", "paid");
    billing.failWith(id -> refused());
    assertEquals(1, publisher.step());
    billing.failWith(id -> away());
    assertEquals(new PublishOutcome.Failed("billing: away"), publisher.publish(parked));
    assertEquals(Optional.of(ErrorCode.REFUSED), outbox.parked(parked));
    assertEquals(2, row(parked).publishAttempts());
  }

  @Test
  void aPausedTopicDoesNotKeepOneEventFromBeingPublished() throws Exception {
    MessageId first = record("1", "paid");
    MessageId second = record("2", "paid");
    billing.failWith(id -> away());
    assertEquals(2, publisher.step());
    billing.heal();
    assertEquals(new PublishOutcome.Done(), publisher.publish(second));
    assertEquals(List.of(second), billing.accepted());
    assertNotNull(row(second).publishedAt());
    assertNull(row(first).publishedAt());
  }

  @Test
  void aPublisherRunsUntilItIsClosed() throws Exception {
    MessageId id = record("1", "paid");
    CompletableFuture<Void> run = CompletableFuture.runAsync(publisher, OwnThread.EXECUTOR);
    clock.awaitWaiters(1);
    assertNotNull(row(id).publishedAt());
    publisher.close();
    run.get(10, TimeUnit.SECONDS);
  }

  @Test
  void aPublisherThatThrowsFailsItsEventAlone() throws Exception {
    MessageId broken = record("1", "placed");
    MessageId other = record("2", "paid");
    shipping.throwFor(broken);
    assertEquals(2, publisher.step());
    assertEquals(List.of(broken, other), billing.accepted());
    assertEquals("shipping: java.lang.IllegalStateException: a bug", row(broken).publishError());
    shipping.heal();
    nextPass();
    assertNotNull(row(broken).publishedAt());
  }

  @Test
  void aPublisherOutlivesWhatItsHostThrows() throws Exception {
    MessageId id = record("1", "paid");
    AtomicBoolean isBroken = new AtomicBoolean(true);
    OutboxPublisher robust =
        OutboxPublisher.builder(
                outbox,
                PublisherSettings.of("shop"),
                subject -> {
                  if (isBroken.get()) {
                    throw new IllegalStateException("a bug");
                  }
                  return List.of("billing");
                },
                topic -> billing)
            .clock(clock)
            .listener(
                new PublishListener() {
                  @Override
                  public void failed(RuntimeException why) {
                    isBroken.set(false);
                  }
                })
            .build();
    CompletableFuture<Void> run = CompletableFuture.runAsync(robust, OwnThread.EXECUTOR);
    clock.awaitWaiters(1);
    assertEquals(List.of(), billing.accepted());
    Deadline.in(PATIENCE)
        .await(
            () -> {
              clock.advance(Duration.ofSeconds(1));
              return row(id).publishedAt() != null;
            },
            () -> "the event");
    robust.close();
    run.get(10, TimeUnit.SECONDS);
  }
}
