package org.svcmailbox.outbox.inbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.MailboxClock;
import org.svcmailbox.client.memory.VirtualClock;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;
import org.svcmailbox.outbox.event.Payload;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;
import org.svcmailbox.outbox.memory.InMemoryInbox;

class HandlerTimerTest {
  private static final Duration CALL = Duration.ofMillis(30);

  private final VirtualClock clock = new VirtualClock();
  private final List<Duration> told = new ArrayList<>();
  private final HandlerPayload event =
      new HandlerPayload(
          MessageId.next(),
          EventSubject.of("shop", "paid", 1),
          "paid",
          1,
          Instant.EPOCH,
          null,
          null,
          new Payload("{}"));
  private final HandlerTimer timer =
      new HandlerTimer(
          new InboxListener() {
            @Override
            public void handled(Handled result, Duration time) {}

            @Override
            public void called(Duration time) {
              told.add(time);
              throw new IllegalStateException("a listener's own failure");
            }
          },
          clock);

  @Test
  void aCallIsTimed() throws Exception {
    EventHandler handler =
        (type, payload) -> {
          clock.advance(CALL);
          return new Processed();
        };
    assertEquals(new Processed(), timer.around(handler).handle("paid", event));
    assertEquals(List.of(CALL), told);
  }

  @Test
  void aCallInATransactionIsTimed() throws Exception {
    TransactionalHandler handler =
        (transaction, type, payload) -> {
          clock.advance(CALL);
          return new Processed();
        };
    InMemoryInbox inbox = new InMemoryInbox(MailboxClock.system(), NewEvent::id);
    try (InboxTransaction transaction = inbox.begin("orders")) {
      assertEquals(new Processed(), timer.around(handler).handle(transaction, "paid", event));
    }
    assertEquals(List.of(CALL), told);
  }

  @Test
  void aCallThatThrowsIsTimedToo() {
    EventHandler handler =
        (type, payload) -> {
          clock.advance(CALL);
          throw new IllegalArgumentException("a bug");
        };
    assertThrows(IllegalArgumentException.class, () -> timer.around(handler).handle("paid", event));
    assertEquals(List.of(CALL), told);
  }
}
