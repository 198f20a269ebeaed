package org.svcmailbox.examples.outbox;

import jakarta.json.Json;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.Table;
import java.util.UUID;
import org.svcmailbox.outbox.event.MessageId;
import org.svcmailbox.outbox.event.NewEvent;

/** An order of a customer. */
@Entity
@Table(name = "orders")
public class Order {
  @Id
  @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "order_numbers")
  @SequenceGenerator(name = "order_numbers", sequenceName = "order_numbers", allocationSize = 1)
  private long number;

  private String item;
  private int quantity;
  private String destination;

  @Column(name = "event_id")
  private UUID eventId;

  protected Order() {}

  Order(String item, int quantity, String destination) {
    this.item = item;
    this.quantity = quantity;
    this.destination = destination;
    eventId = MessageId.next().value();
  }

  long number() {
    return number;
  }

  /** The event that tells of this order, once it has a number. */
  NewEvent placed() {
    String json =
        Json.createObjectBuilder()
            .add("order", number)
            .add("item", item)
            .add("quantity", quantity)
            .add("destination", destination)
            .build()
            .toString();
    return NewEvent.of("order", Long.toString(number), "order_placed", json)
        .withId(new MessageId(eventId));
  }
}
