package org.svcmailbox.examples.orders;

import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.Sent;

/**
 * Sends some orders. A second run within five minutes sends the same ones, which changes nothing.
 */
public final class Producer {
  private Producer() {}

  /** Takes the number of orders. */
  public static void main(String[] args) {
    int orders = Integer.parseInt(args[0]);
    try (Mailbox<Order, Void> mailbox = Orders.open()) {
      for (int number = 1; number <= orders; number++) {
        Order order = new Order("apples", number);
        Sent sent = mailbox.send(Outgoing.builder(order).key("order-" + number).build());
        System.out.println(order + (sent.duplicate() ? " was sent before" : " is sent"));
      }
    }
  }
}
