package org.svcmailbox.examples.outbox;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A parcel on its way; one for each order. */
@Entity
@Table(name = "shipments")
public class Shipment {
  @Id
  @Column(name = "order_number")
  private long order;

  private String destination;

  protected Shipment() {}

  Shipment(long order, String destination) {
    this.order = order;
    this.destination = destination;
  }

  long order() {
    return order;
  }

  String destination() {
    return destination;
  }
}
