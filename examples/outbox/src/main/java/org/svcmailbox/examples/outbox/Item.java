package org.svcmailbox.examples.outbox;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An item of the shop, and how many of it are in stock. */
@Entity
@Table(name = "items")
public class Item {
  @Id private String name;
  private int stock;

  protected Item() {}

  /**
   * Takes some of it out of the stock.
   *
   * @throws OutOfStockException if there are fewer
   */
  void take(int quantity) {
    if (quantity > stock) {
      throw new OutOfStockException("only " + stock + " " + name + " are in stock");
    }
    stock -= quantity;
  }
}
