package org.svcmailbox.outbox.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.EventAttributes;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.memory.InMemoryInbox;
import org.svcmailbox.outbox.publish.OutboxStoreException;

class InboxProcessorTest {
  private static final String SUBJECT = "shop.event.paid.v2";

  private final VirtualClock clock = new VirtualClock();
  private final List<NewEvent> events = new ArrayList<>();
  private final InMemoryInbox inbox =
      new InMemoryInbox(
          clock,
          event -> {
            events.add(event);
            return event.id();
          });
  private final ScriptedConsumer topic = new ScriptedConsumer();
  private final LocalGuard guard = new LocalGuard();
  private final List<HandlerPayload> handled = new ArrayList<>();
  private final MessageId id = MessageId.next();
  private HandlerResult result = new Processed();
  private boolean isDatabaseAway;

  private final InboxProcessor processor =
      new InboxProcessor(
          consumer -> {
            if (isDatabaseAway) {
              throw new OutboxStoreException("away", new IllegalStateException());
            }
            return inbox.begin(consumer);
          },
          topic,
          (type, payload) -> {
            handled.add(payload);
            return result;
          },
          guard,
          InboxSettings.of("shipping", "orders"),
          clock);

  private Delivery delivery(String msgId, int attempt, Map<String, String> more) {
    Map<String, String> attributes = EventMessages.attributes(id, new EventSubject(SUBJECT));
    attributes.putAll(more);
    attributes.values().removeIf(String::isEmpty);
    return new Delivery(msgId, "r" + attempt, attempt, 0, attributes, "{\"a\":1}");
  }

  private Handled deliver(int attempt) throws InterruptedException {
    return processor.process(delivery("m", attempt, Map.of()));
  }

  private InboxMessage row() {
    return inbox.find("orders", id).orElseThrow();
  }

  @Test
  void anEventIsHandledAndAcknowledged() throws Exception {
    UUID correlation = UUID.randomUUID();
    Delivery delivery =
        delivery("m", 1, Map.of(EventAttributes.CORRELATION_ID, correlation.toString()));
    assertEquals(Handled.PROCESSED, processor.process(delivery));
    assertEquals(List.of("m"), topic.acknowledged());
    assertNotNull(row().processedAt());
    assertEquals(
        "{\"message_id\":\""
            + id
            + "\",\"subject\":\""
            + SUBJECT
            + "\",\"event_type\":\"paid\",\"event_version\":2,"
            + "\"occurred_at\":\"2026-01-01T00:00:00Z\",\"correlation_id\":\""
            + correlation
            + "\",\"causation_id\":null,\"payload\":{\"a\":1}}",
        handled.get(0).json());
  }

  @Test
  void aHandlerThatDidItBeforeIsDone() throws Exception {
    result = new AlreadyProcessed();
    assertEquals(Handled.ALREADY_PROCESSED, deliver(1));
    assertEquals(List.of("m"), topic.acknowledged());
    assertNotNull(row().processedAt());
  }

  @Test
  void aCopyOfAProcessedMessageIsSkipped() throws Exception {
    assertEquals(Handled.PROCESSED, deliver(1));
    assertEquals(Handled.DUPLICATE, processor.process(delivery("copy", 1, Map.of())));
    assertEquals(List.of("m", "copy"), topic.acknowledged());
    assertEquals(1, handled.size());
  }

  @Test
  void aLostAcknowledgementLeadsToNoSecondCall() throws Exception {
    topic.goAway();
    assertThrows(ConsumerException.class, () -> deliver(1));
    topic.comeBack();
    assertEquals(Handled.DUPLICATE, deliver(2));
    assertEquals(1, handled.size());
  }

  @Test
  void aTransientFailureComesAgain() throws Exception {
    result = new Retry("away", Duration.ofSeconds(7));
    assertEquals(Handled.RETRY, deliver(1));
    assertEquals(Duration.ofSeconds(7), topic.refused().get(0).delay());
    assertEquals(false, topic.refused().get(0).deadLetter());
    assertEquals("away", row().lastError());
    assertNull(row().processedAt());
    result = new Processed();
    assertEquals(Handled.PROCESSED, deliver(2));
    assertEquals(2, row().attempts());
    assertEquals(List.of(), events);
  }

  @Test
  void whatAHandlerThrowsIsATransientFailure() throws Exception {
    InboxProcessor broken =
        new InboxProcessor(
            inbox,
            topic,
            (type, payload) -> {
              throw new IllegalStateException("a bug\0");
            },
            guard,
            InboxSettings.of("shipping", "orders"),
            clock);
    assertEquals(Handled.RETRY, broken.process(delivery("m", 1, Map.of())));
    assertEquals("java.lang.IllegalStateException: a bug ", row().lastError());
  }

  @Test
  void poisonIsADeadLetterAtOnceAndToldOnce() throws Exception {
    result = new Poison("no such order");
    assertEquals(Handled.DEAD, deliver(3));
    assertTrue(topic.refused().get(0).deadLetter());
    assertEquals("no such order", topic.refused().get(0).reason());
    assertNull(row().processedAt());
    assertNotNull(inbox.deadLetter("orders", id).orElseThrow().routedAt());
    assertEquals(1, events.size());
    assertEquals("dlq." + SUBJECT, events.get(0).eventType());
    assertEquals(id.value(), events.get(0).correlation().causationId());
    assertEquals(
        "{\"message_id\":\""
            + id
            + "\",\"original_subject\":\""
            + SUBJECT
            + "\",\"reason\":\"no such order\",\"attempts\":3}",
        events.get(0).payload().json());
  }

  @Test
  void aDeadLetterThatTheServiceMayNotHaveIsOnlyRoutedAgain() throws Exception {
    result = new Poison("no such order");
    topic.goAway();
    assertThrows(ConsumerException.class, () -> deliver(1));
    topic.comeBack();
    clock.advance(Duration.ofMinutes(5).minusNanos(1));
    assertEquals(Handled.DEAD, deliver(2));
    assertEquals(1, handled.size());
    assertEquals(1, events.size());
    assertTrue(topic.refused().get(0).deadLetter());
    assertNotNull(inbox.deadLetter("orders", id).orElseThrow().routedAt());
  }

  @Test
  void aReprocessedDeadLetterIsHandledAgain() throws Exception {
    result = new Poison("no such order");
    assertEquals(Handled.DEAD, deliver(1));
    result = new Processed();
    assertEquals(Handled.PROCESSED, deliver(1));
    assertEquals(2, handled.size());
  }

  @Test
  void aCopyOfADeadLetterIsSkippedUnlessAnOperatorMadeIt() throws Exception {
    result = new Poison("no such order");
    assertEquals(Handled.DEAD, deliver(1));
    result = new Processed();
    assertEquals(Handled.DUPLICATE, processor.process(delivery("copy", 1, Map.of())));
    assertEquals(1, handled.size());
    assertEquals(
        Handled.PROCESSED,
        processor.process(delivery("resent", 1, Map.of("mailbox.resent_from", "m"))));
  }

  @Test
  void theLastPermittedAttemptIsToldAsADeadLetter() throws Exception {
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, deliver(19));
    assertEquals(List.of(), events);
    assertEquals(Handled.RETRY, deliver(20));
    assertEquals(1, events.size());
    // The service makes it one by itself, and an operator can send it again at once.
    assertEquals(false, topic.refused().get(1).deadLetter());
    result = new Processed();
    assertEquals(Handled.PROCESSED, deliver(1));
  }

  @Test
  void aCopyOfAMessageThatIsBeingHandledWaits() throws Exception {
    assertTrue(guard.acquire("orders", id));
    assertEquals(Handled.BUSY, deliver(1));
    assertEquals(Duration.ofMinutes(2), topic.refused().get(0).delay());
    assertEquals(0, handled.size());
    guard.release("orders", id);
    assertEquals(Handled.PROCESSED, deliver(2));
    assertTrue(guard.acquire("orders", id));
  }

  @Test
  void withoutTheDatabaseNoHandlerIsCalled() throws Exception {
    isDatabaseAway = true;
    assertEquals(Handled.RETRY, deliver(1));
    assertEquals(0, handled.size());
    isDatabaseAway = false;
    assertEquals(Handled.PROCESSED, deliver(2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"message_id", "subject", "event_type", "event_version", "occurred_at"})
  void aMessageWithoutAnAttributeIsNoEvent(String name) throws Exception {
    assertEquals(Handled.DEAD, processor.process(delivery("m", 1, Map.of(name, ""))));
    assertEquals(
        "INVALID_MESSAGE: attribute " + name + " is missing", topic.refused().get(0).reason());
    assertEquals(Handled.DEAD, processor.process(delivery("m", 1, Map.of(name, "?"))));
    assertTrue(topic.refused().stream().allMatch(Refused::deadLetter));
    assertEquals(0, handled.size());
  }

  @Test
  void logsNameIdsAndNothingElseThatASenderSays() {
    UUID causation = UUID.randomUUID();
    Map<String, String> more =
        Map.of(
            EventAttributes.CORRELATION_ID,
            "1\nINFO all is well".repeat(2) + "1234",
            EventAttributes.CAUSATION_ID,
            causation.toString());
    assertEquals(
        "m (event " + id + ", correlation null, causation " + causation + ")",
        delivery("m", 1, more).ids());
  }

  @Test
  void aBodyThatIsNotJsonIsNoEvent() throws Exception {
    Delivery good = delivery("m", 1, Map.of());
    for (String body : new String[] {null, "", "{", "\0"}) {
      Delivery bad = new Delivery("m", "r", 1, 0, good.attributes(), body);
      assertEquals(Handled.DEAD, processor.process(bad));
    }
    assertEquals(0, handled.size());
  }
}
