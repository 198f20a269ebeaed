package org.svcmailbox.outbox.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.svcmailbox.outbox.event.ErrorCode;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.OutboxException;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.inbox.HandlerResult.AlreadyProcessed;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.inbox.HandlerResult.Retry;
import org.svcmailbox.outbox.publish.OutboxStoreException;
import org.svcmailbox.test.concurrent.OwnThread;

/** The contract of an inbox with its commands. */
public abstract class InboxCommandsContract extends InboxStoreContract {
  private static final EventSubject SUBJECT = EventSubject.of("shop", "paid", 2);
  private static final Payload PAYLOAD = new Payload("{\"a\":1}");

  private final MessageId id = MessageId.next();
  private final LocalGuard guard = new LocalGuard();
  private final List<HandlerPayload> handled = new ArrayList<>();
  private final ScriptedConsumer topic = new ScriptedConsumer();
  private HandlerResult result = new Processed();

  /** How many events were recorded that follow from a message. */
  protected abstract int countFollowing(MessageId cause) throws Exception;

  /** Whether a transaction waits for another that has read the same row. */
  protected boolean waitsForRows() {
    return true;
  }

  private HandlerResult handle(String type, HandlerPayload payload) {
    handled.add(payload);
    return result;
  }

  private InboxCommands commands() throws Exception {
    return new InboxCommands(store(), this::handle, guard, CONSUMER, clock);
  }

  private Handled process() throws Exception {
    return commands().process(id, SUBJECT, PAYLOAD);
  }

  private InboxMessage message() throws Exception {
    return find(id).orElseThrow();
  }

  private Optional<DeadLetter> letter() throws Exception {
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      return transaction.deadLetters().find(id);
    }
  }

  /** Delivers the message to a consumer of the same inbox. */
  private Handled deliver(String msgId, Map<String, String> more) throws Exception {
    Map<String, String> attributes = EventMessages.attributes(id, SUBJECT);
    attributes.putAll(more);
    return new InboxProcessor(
            store(), topic, this::handle, guard, InboxSettings.of("shipping", "orders"), clock)
        .process(new Delivery(msgId, "r", 1, 0, attributes, PAYLOAD.json()));
  }

  @Test
  void aMessageIsReadInATransaction() throws Exception {
    assertEquals(Handled.PROCESSED, process());
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      assertEquals(Optional.of(message()), transaction.message(id));
      assertEquals(Optional.empty(), transaction.message(MessageId.next()));
    }
  }

  @Test
  void aMessageIsHandledByCommandAndOnce() throws Exception {
    assertEquals(Handled.PROCESSED, process());
    assertEquals(
        new HandlerPayload(id, SUBJECT, "paid", 2, clock.now(), null, null, PAYLOAD),
        handled.get(0));
    assertEquals(SUBJECT.value(), message().subject());
    assertNotNull(message().processedAt());
    assertEquals(1, message().attempts());
    assertEquals(Handled.DUPLICATE, process());
    assertEquals(1, handled.size());
    assertEquals(Handled.DUPLICATE, deliver("m", Map.of()));
    assertEquals(List.of("m"), topic.acknowledged());
  }

  @Test
  void aHandlerThatDidItBeforeIsDoneByCommandToo() throws Exception {
    result = new AlreadyProcessed();
    assertEquals(Handled.ALREADY_PROCESSED, process());
    assertNotNull(message().processedAt());
  }

  @Test
  void aCommandThatFailsCanBeRepeated() throws Exception {
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, process());
    assertEquals("away", message().lastError());
    assertNull(message().processedAt());
    result = new Processed();
    assertEquals(Handled.PROCESSED, process());
    assertEquals(2, message().attempts());
    assertEquals(0, countFollowing(id));
  }

  @Test
  void poisonIsADeadLetterByCommandToo() throws Exception {
    result = new Poison("no such order");
    assertEquals(Handled.DEAD, process());
    assertEquals("no such order", message().lastError());
    assertEquals("no such order", letter().orElseThrow().reason());
    assertEquals(1, letter().orElseThrow().attempts());
    assertEquals(1, countFollowing(id));
  }

  @Test
  void aMessageThatAConsumerHandlesIsBusy() throws Exception {
    assertTrue(guard.acquire(CONSUMER, id));
    assertEquals(Handled.BUSY, process());
    assertEquals(Optional.empty(), find(id));
    guard.release(CONSUMER, id);
    assertEquals(Handled.PROCESSED, process());
    assertTrue(guard.acquire(CONSUMER, id));
  }

  @Test
  void aPayloadThatIsNotJsonIsNotHandled() throws Exception {
    InboxCommands commands = commands();
    OutboxException refusal =
        assertThrows(OutboxException.class, () -> commands.process(id, SUBJECT, new Payload("{")));
    assertEquals(ErrorCode.INVALID_MESSAGE, refusal.code());
    assertEquals(Optional.empty(), find(id));
  }

  @Test
  void aMessageIsADeadLetterByCommandOnce() throws Exception {
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, process());
    assertEquals(RouteOutcome.ROUTED, commands().route(id, "given up\0", SUBJECT));
    assertEquals("given up ", message().lastError());
    DeadLetter letter = letter().orElseThrow();
    assertEquals(new DeadLetter(id, "", SUBJECT, "given up ", 1, clock.now(), null), letter);
    assertEquals(1, countFollowing(id));
    clock.advance(Duration.ofSeconds(1));
    assertEquals(RouteOutcome.ALREADY_ROUTED, commands().route(id, "again", SUBJECT));
    assertEquals(letter, letter().orElseThrow());
    assertEquals("given up ", message().lastError());
    assertEquals(1, countFollowing(id));
  }

  @Test
  void commandsThatMeetMakeOneDeadLetter() throws Exception {
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, process());
    InboxCommands commands = commands();
    List<CompletableFuture<Optional<RouteOutcome>>> calls = new ArrayList<>();
    for (int call = 0; call < 4; call++) {
      calls.add(CompletableFuture.supplyAsync(() -> routed(commands), OwnThread.EXECUTOR));
    }
    List<RouteOutcome> outcomes =
        calls.stream().map(CompletableFuture::join).flatMap(Optional::stream).toList();
    assertEquals(1, Collections.frequency(outcomes, RouteOutcome.ROUTED));
    assertEquals(
        outcomes.size() - 1,
        Collections.frequency(outcomes, RouteOutcome.ALREADY_ROUTED)
            + Collections.frequency(outcomes, RouteOutcome.BUSY));
    assertEquals(1, countFollowing(id));
    assertTrue(outcomes.size() == 4 || !waitsForRows());
  }

  private Optional<RouteOutcome> routed(InboxCommands commands) {
    try {
      return Optional.of(commands.route(id, "given up", SUBJECT));
    } catch (OutboxStoreException e) {
      return Optional.empty();
    }
  }

  /** Its handler may succeed at this moment, and a message is not both processed and dead. */
  @Test
  void aMessageThatAConsumerHandlesIsMadeNoDeadLetter() throws Exception {
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, process());
    assertTrue(guard.acquire(CONSUMER, id));
    assertEquals(RouteOutcome.BUSY, commands().route(id, "given up", SUBJECT));
    assertEquals(Optional.empty(), letter());
    assertEquals(0, countFollowing(id));
    guard.release(CONSUMER, id);
    assertEquals(RouteOutcome.ROUTED, commands().route(id, "given up", SUBJECT));
    assertTrue(guard.acquire(CONSUMER, id));
  }

  @Test
  void onlyAMessageThatWaitsIsMadeADeadLetter() throws Exception {
    assertEquals(RouteOutcome.UNKNOWN, commands().route(id, "no", SUBJECT));
    assertEquals(Handled.PROCESSED, process());
    assertEquals(RouteOutcome.PROCESSED, commands().route(id, "no", SUBJECT));
    assertNull(message().lastError());
    assertEquals(Optional.empty(), letter());
    assertEquals(0, countFollowing(id));
  }

  @Test
  void aSubjectThatIsNotTheMessagesIsRefused() throws Exception {
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, process());
    InboxCommands commands = commands();
    OutboxException refusal =
        assertThrows(
            OutboxException.class,
            () -> commands.route(id, "no", EventSubject.of("shop", "paid", 1)));
    assertEquals(ErrorCode.INVALID_SUBJECT, refusal.code());
    assertEquals(Optional.empty(), letter());
  }

  @Test
  void aConsumerGivesAMessageThatIsDeadByCommandToTheService() throws Exception {
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, process());
    assertEquals(RouteOutcome.ROUTED, commands().route(id, "given up", SUBJECT));
    clock.advance(Duration.ofHours(1));
    assertEquals(Handled.DEAD, deliver("m", Map.of()));
    assertTrue(topic.refused().get(0).deadLetter());
    assertEquals("given up", topic.refused().get(0).reason());
    assertEquals(clock.now(), letter().orElseThrow().routedAt());
    assertEquals(1, handled.size());
    // An operator has the service deliver it again.
    result = new Processed();
    assertEquals(Handled.DUPLICATE, deliver("copy", Map.of()));
    assertEquals(Handled.PROCESSED, deliver("m", Map.of()));
    assertEquals(1, countFollowing(id));
  }

  @Test
  void aConsumerSkipsADeadMessageThatACommandHandled() throws Exception {
    result = new Poison("no such order");
    assertEquals(Handled.DEAD, process());
    result = new Processed();
    assertEquals(Handled.PROCESSED, process());
    assertEquals(Handled.DUPLICATE, deliver("m", Map.of()));
    assertEquals(List.of("m"), topic.acknowledged());
  }

  @Test
  void aLetterThatTheServiceHasStaysThere() throws Exception {
    result = new Poison("no such order");
    assertEquals(Handled.DEAD, deliver("m", Map.of()));
    DeadLetter routed = letter().orElseThrow();
    clock.advance(Duration.ofHours(1));
    result = new Poison("still no such order");
    assertEquals(Handled.DEAD, process());
    DeadLetter letter = letter().orElseThrow();
    assertEquals("m", letter.msgId());
    assertEquals(routed.routedAt(), letter.routedAt());
    assertEquals("still no such order", letter.reason());
    result = new Processed();
    assertEquals(Handled.PROCESSED, deliver("m", Map.of()));
  }

  private InboxProcessor consumer(String name, List<HandlerPayload> calls) throws Exception {
    EventHandler handler =
        (type, payload) -> {
          calls.add(payload);
          return result;
        };
    return new InboxProcessor(
        store(), topic, handler, guard, InboxSettings.of("shipping", name), clock);
  }

  private Delivery copy(String msgId) {
    return new Delivery(msgId, "r", 1, 0, EventMessages.attributes(id, SUBJECT), PAYLOAD.json());
  }

  @Test
  void eachConsumerOfADatabaseHandlesAnEventOnce() throws Exception {
    List<HandlerPayload> billed = new ArrayList<>();
    for (int delivery = 0; delivery < 2; delivery++) {
      Handled expected = delivery == 0 ? Handled.PROCESSED : Handled.DUPLICATE;
      assertEquals(expected, consumer(CONSUMER, handled).process(copy("shipping's")));
      assertEquals(expected, consumer("billing", billed).process(copy("billing's")));
    }
    assertEquals(1, handled.size());
    assertEquals(1, billed.size());
  }

  @Test
  void aConsumerThatHandlesAnEventKeepsNoOtherConsumerWaiting() throws Exception {
    assertTrue(guard.acquire(CONSUMER, id));
    assertEquals(Handled.BUSY, process());
    assertEquals(Handled.PROCESSED, consumer("billing", handled).process(copy("m")));
  }

  @Test
  void aDeadLetterIsItsConsumersAlone() throws Exception {
    result = new Poison("no such order");
    assertEquals(Handled.DEAD, consumer(CONSUMER, handled).process(copy("shipping's")));
    result = new Processed();
    assertEquals(Handled.PROCESSED, consumer("billing", handled).process(copy("billing's")));
    assertEquals("shipping's", letter().orElseThrow().msgId());
    assertNull(message().processedAt());
    result = new Poison("no such account");
    assertEquals(Handled.DEAD, consumer("audit", handled).process(copy("audit's")));
    assertEquals("no such order", letter().orElseThrow().reason());
    assertEquals("no such order", message().lastError());
    assertEquals(2, countFollowing(id));
    assertEquals(RouteOutcome.ALREADY_ROUTED, commands().route(id, "no", SUBJECT));
  }

  /** A message whose body is no JSON; without an attribute if it is empty here. */
  private Delivery invalid(String msgId, Map<String, String> more) {
    Map<String, String> attributes = EventMessages.attributes(id, SUBJECT);
    attributes.putAll(more);
    attributes.values().removeIf(String::isEmpty);
    return new Delivery(msgId, "r", 1, 0, attributes, "{");
  }

  private Handled refuse(Delivery delivery) throws Exception {
    return consumer(CONSUMER, handled).process(delivery);
  }

  private Optional<DeadLetter> letter(MessageId of) throws Exception {
    try (InboxTransaction transaction = store().begin(CONSUMER)) {
      return transaction.deadLetters().find(of);
    }
  }

  @Test
  void aMessageThatIsNoEventIsADeadLetterWithItsRowAndItsNews() throws Exception {
    String reason = "INVALID_MESSAGE: the body is not JSON";
    assertEquals(Handled.DEAD, refuse(invalid("m", Map.of())));
    assertEquals(
        Optional.of(new DeadLetter(id, "m", SUBJECT, reason, 0, clock.now(), clock.now())),
        letter());
    assertEquals(SUBJECT.value(), message().subject());
    assertEquals(reason, message().lastError());
    assertNull(message().processedAt());
    assertEquals(1, countFollowing(id));
    assertTrue(topic.refused().get(0).deadLetter());
    assertEquals(reason, topic.refused().get(0).reason());
    assertEquals(List.of(), handled);
  }

  @Test
  void aMessageWithoutAnIdHasThatOfTheService() throws Exception {
    MessageId service = MessageId.next();
    Map<String, String> nothing = Map.of("message_id", "", "subject", "shop");
    assertEquals(Handled.DEAD, refuse(invalid(service.toString(), nothing)));
    EventSubject subject = new EventSubject("shipping.event.invalid_message.v1");
    assertEquals(subject.value(), find(service).orElseThrow().subject());
    assertEquals(subject, letter(service).orElseThrow().originalSubject());
    assertEquals(1, countFollowing(service));
    // A service whose ids are no UUIDs.
    assertEquals(Handled.DEAD, refuse(invalid("m-7", nothing)));
    MessageId derived = new MessageId(UUID.fromString("55901441-89df-3b64-a8e3-dad386d88dc3"));
    assertEquals("m-7", letter(derived).orElseThrow().msgId());
  }

  @Test
  void aMessageThatIsNoEventIsToldOnceUnlessAnOperatorSendsItAgain() throws Exception {
    topic.goAway();
    assertThrows(ConsumerException.class, () -> refuse(invalid("m", Map.of())));
    topic.comeBack();
    assertNull(letter().orElseThrow().routedAt());
    assertEquals(Handled.DEAD, refuse(invalid("m", Map.of())));
    assertEquals(1, countFollowing(id));
    assertEquals(clock.now(), letter().orElseThrow().routedAt());
    assertEquals(Handled.DEAD, refuse(invalid("m", Map.of())));
    assertEquals(2, countFollowing(id));
  }

  @Test
  void aSoundMessageIsHandledWhateverElseCameWithItsId() throws Exception {
    assertEquals(Handled.DEAD, refuse(invalid("before", Map.of())));
    result = new Retry("away", null);
    assertEquals(Handled.RETRY, deliver("m", Map.of()));
    MessageId other = MessageId.next();
    assertEquals(Handled.DEAD, refuse(invalid(other.toString(), Map.of())));
    assertEquals(other.toString(), letter(other).orElseThrow().msgId());
    assertEquals("away", message().lastError());
    result = new Processed();
    assertEquals(Handled.PROCESSED, deliver("m", Map.of()));
    assertEquals(Handled.DUPLICATE, deliver("copy", Map.of()));
    assertEquals(2, handled.size());
  }
}
