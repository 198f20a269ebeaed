package org.svcmailbox.client.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary.Failure;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.SerializationException;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.memory.VirtualClock;

@ExtendWith(MailboxExtension.class)
class MailboxExtensionTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  record Order(String what, Instant when) {}

  record Receipt(int number) {}

  @BeforeEach
  void oneOrderIsThere(@TestMailbox("orders") Mailbox<Order, Receipt> orders, VirtualClock clock) {
    orders.send(new Order("two apples", clock.now()));
  }

  @Test
  void bodiesAndRepliesTravelAsTheirTypes(
      @TestMailbox("orders") Mailbox<Order, Receipt> orders,
      @TestMailbox("receipts") InMemoryMailbox<Receipt, Object> receipts,
      VirtualClock clock) {
    Message<Order, Receipt> first = receive(orders);
    assertEquals(new Order("two apples", clock.now()), first.body());
    first.acknowledge();
    orders.send(new Order("two pears", clock.now()), receipts);

    Message<Order, Receipt> second = receive(orders);
    second.reply(new Receipt(17));
    second.acknowledge();

    Message<Receipt, Object> reply = receive(receipts);
    assertEquals(new Receipt(17), reply.body());
    reply.acknowledge();
  }

  @Test
  void parametersOfOneNameAreOneMailbox(
      @TestMailbox("orders") Mailbox<Order, Receipt> orders,
      @TestMailbox("orders") InMemoryMailbox<Order, Receipt> same,
      @TestMailbox("broken") FakeMailbox<Order, Receipt> fake,
      @TestMailbox("sent") CollectingMailbox<Order, Receipt> sent) {
    assertSame(orders, same);
    assertEquals(1, orders.approximateCount());
    assertEquals("broken", fake.name());
    assertEquals("sent", sent.name());
  }

  @Test
  void aLeaseEndsWithTheClock(
      @TestMailbox("orders") Mailbox<Order, Receipt> orders, VirtualClock clock) {
    receive(orders);
    clock.advance(LEASE);
    receive(orders).acknowledge();
  }

  @Test
  void aBodyThatCannotTravelIsRefused(@TestMailbox("things") Mailbox<Object, Object> things) {
    assertThrows(SerializationException.class, () -> things.send(new Object()));
  }

  @Test
  void aTestThatLeavesMessagesHeldFails() {
    List<Failure> failures = failures(Careless.class);
    assertEquals(2, failures.size());
    for (Failure failure : failures) {
      String message = String.valueOf(failure.getException().getMessage());
      assertTrue(message.contains("{orders=1}") || message.contains("not a FakeMailbox"), message);
    }
  }

  private static <T, R> Message<T, R> receive(Mailbox<T, R> mailbox) {
    return mailbox.receive(1, LEASE, Duration.ZERO).get(0);
  }

  private static List<Failure> failures(Class<?> tests) {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(tests))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build(),
            listener);
    return listener.getSummary().getFailures();
  }

  /** Run by a test of its own: each of its tests must fail. */
  @ExtendWith(MailboxExtension.class)
  static class Careless {
    @Test
    void leavesAMessageHeld(@TestMailbox("orders") Mailbox<String, String> orders) {
      orders.send("apple");
      orders.receive(1, LEASE, Duration.ZERO);
    }

    @Test
    void asksForTwoKinds(
        @TestMailbox("orders") Mailbox<String, String> orders,
        @TestMailbox("orders") FakeMailbox<String, String> fake) {
      orders.send("apple");
      fake.send("apple");
    }
  }
}
