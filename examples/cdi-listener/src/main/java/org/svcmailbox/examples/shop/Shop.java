package org.svcmailbox.examples.shop;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.time.Duration;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.cdi.MailboxName;

/** Takes orders, and hands out receipts. */
@Path("/")
@RequestScoped
@Produces(MediaType.TEXT_PLAIN)
public class Shop {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration WAIT = Duration.ofSeconds(5);

  @Inject
  @MailboxName("orders")
  Mailbox<Order, Receipt> orders;

  @Inject
  @MailboxName("receipts")
  Mailbox<Receipt, Object> receipts;

  /** Sends an order, and returns its message's id. */
  @POST
  @Path("orders")
  public String order(
      @QueryParam("item") @DefaultValue("apples") String item,
      @QueryParam("count") @DefaultValue("1") int count) {
    return orders.send(new Order(item, count), receipts) + "\n";
  }

  /** The next receipts, of any order; waits some seconds for the first. */
  @GET
  @Path("receipts")
  public String receipts() {
    StringBuilder texts = new StringBuilder();
    for (Message<Receipt, Object> message : receipts.receive(10, LEASE, WAIT)) {
      texts.append(message.body().text()).append('\n');
      message.acknowledge();
    }
    return texts.toString();
  }
}
