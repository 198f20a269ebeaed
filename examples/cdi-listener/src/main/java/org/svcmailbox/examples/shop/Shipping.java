package org.svcmailbox.examples.shop;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.svcmailbox.client.MailboxListener;

/** Packs and ships what is ordered. */
@ApplicationScoped
public class Shipping {
  @Inject
  @ConfigProperty(name = "shop.packing-time", defaultValue = "PT0.1S")
  Duration packingTime;

  /**
   * Handles one order. The receipt goes to the mailbox that the sender named.
   *
   * @throws InterruptedException if the application ends and packing takes too long; the order
   *     comes back
   */
  @MailboxListener("orders")
  public Receipt ship(Order order) throws InterruptedException {
    Thread.sleep(packingTime.multipliedBy(order.count()).toMillis());
    return new Receipt(order.count() + " " + order.item() + " shipped");
  }
}
