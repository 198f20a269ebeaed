package org.svcmailbox.examples.orders;

import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.loop.MainLoop;

/** Ships orders, four at a time, until it is ended. */
public final class Worker {
  private Worker() {}

  /** Takes no arguments. */
  public static void main(String[] args) {
    Mailbox<Order, Void> orders = Orders.open();
    MainLoop<Order, Void> loop =
        MainLoop.handling(
                orders,
                message -> {
                  System.out.println(message.body() + " is shipped");
                  return null;
                })
            .workers(4)
            .start();
    // Ctrl-C lets the orders that are being shipped finish.
    Runtime.getRuntime().addShutdownHook(new Thread(loop::close));
    System.out.println("waiting for orders");
  }
}
