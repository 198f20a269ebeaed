package org.svcmailbox.examples.spring;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.spring.Mailboxes;

/** A shop: {@code POST /orders} is answered when the order is on disk; a listener ships it. */
@SpringBootApplication
public class Shop {
  /** Runs the shop until it is ended. */
  public static void main(String[] args) {
    SpringApplication.run(Shop.class, args);
  }

  @Bean
  Mailbox<Order, Void> orders(Mailboxes mailboxes) {
    return mailboxes.open("spring-orders", Order.class, Void.class);
  }

  /** Takes orders. */
  @RestController
  static class Counter {
    private final Mailbox<Order, Void> orders;

    Counter(Mailbox<Order, Void> orders) {
      this.orders = orders;
    }

    @PostMapping("/orders")
    Map<String, String> order(@RequestBody Order order) {
      return Map.of("id", orders.send(order));
    }
  }

  @MailboxListener("spring-orders")
  void ship(Order order) {
    System.out.println(order + " is shipped");
  }
}
