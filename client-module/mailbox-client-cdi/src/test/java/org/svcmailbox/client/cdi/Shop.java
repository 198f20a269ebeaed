package org.svcmailbox.client.cdi;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Produces;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.loop.MainLoopRequest;
import org.svcmailbox.client.loop.MainLoopResult;
import org.svcmailbox.client.memory.InMemoryMailbox;
import org.svcmailbox.client.memory.VirtualClock;

/** An application's own mailboxes, in memory. They stay open when the application has ended. */
@ApplicationScoped
class Shop {
  static final Map<String, String> ORDERS = Map.of("svcmailbox.orders.dead-letter-limit", "5");
  static final Map<String, String> REQUESTS = Map.of("svcmailbox.requests.dead-letter-limit", "5");

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final VirtualClock clock = new VirtualClock();

  private final InMemoryMailbox<Receipt, Object> receipts =
      InMemoryMailbox.<Receipt, Object>builder("receipts").build();

  private final InMemoryMailbox<Order, Receipt> orders =
      InMemoryMailbox.builder(
              "orders", Codecs.<Order>json(Order.class), Codecs.<Receipt>reference())
          .clock(clock)
          .resolver(MailboxResolver.of(receipts))
          .build();

  private final InMemoryMailbox<MainLoopResult<Receipt>, Object> results =
      InMemoryMailbox.<MainLoopResult<Receipt>, Object>builder("results").build();

  private final InMemoryMailbox<MainLoopRequest<Order>, MainLoopResult<Receipt>> requests =
      InMemoryMailbox.<MainLoopRequest<Order>, MainLoopResult<Receipt>>builder("requests")
          .resolver(MailboxResolver.of(results))
          .build();

  private final InMemoryMailbox<byte[], Object> dead =
      InMemoryMailbox.builder("dead", Codecs.bytes(), Codecs.reference()).build();

  @Produces
  @MailboxName("orders")
  InMemoryMailbox<Order, Receipt> orders() {
    return orders;
  }

  @Produces
  @MailboxName("requests")
  InMemoryMailbox<MainLoopRequest<Order>, MainLoopResult<Receipt>> requests() {
    return requests;
  }

  @Produces
  @MailboxName("dead")
  InMemoryMailbox<byte[], Object> dead() {
    return dead;
  }

  InMemoryMailbox<Receipt, Object> receipts() {
    return receipts;
  }

  InMemoryMailbox<MainLoopResult<Receipt>, Object> results() {
    return results;
  }

  VirtualClock clock() {
    return clock;
  }

  /** The next message's body; the message is acknowledged. */
  static <T, R> T next(Mailbox<T, R> mailbox) {
    List<Message<T, R>> messages = mailbox.receive(1, PATIENCE, PATIENCE);
    if (messages.isEmpty()) {
      throw new AssertionError("no message in " + mailbox.name());
    }
    messages.get(0).acknowledge();
    return messages.get(0).body();
  }
}
