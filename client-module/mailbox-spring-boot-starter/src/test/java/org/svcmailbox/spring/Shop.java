package org.svcmailbox.spring;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryMailbox;

/** An application with mailboxes in memory, and a listener that ships orders. */
@Configuration(proxyBeanMethods = false)
class Shop {
  /** The bean with the listener. */
  static class Shipping {
    final List<Order> shipped = new CopyOnWriteArrayList<>();

    @MailboxListener("orders")
    String ship(Order order) {
      if (order.count() < 1) {
        throw new IllegalArgumentException("nothing to ship");
      }
      shipped.add(order);
      return order.item() + " shipped";
    }
  }

  @Bean
  Shipping shipping() {
    return new Shipping();
  }

  @Bean
  Mailbox<String, Object> receipts() {
    return InMemoryMailbox.<String, Object>builder("receipts", Codecs.utf8(), Codecs.reference())
        .build();
  }

  @Bean
  Mailbox<Order, String> orders(Mailbox<String, Object> receipts) {
    return InMemoryMailbox.<Order, String>builder("orders", Codecs.json(Order.class), Codecs.utf8())
        .resolver(MailboxResolver.of(receipts))
        .build();
  }
}
