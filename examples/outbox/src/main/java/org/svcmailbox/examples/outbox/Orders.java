package org.svcmailbox.examples.outbox;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.EntityManager;
import jakarta.persistence.LockModeType;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import org.svcmailbox.outbox.event.Outbox;
import org.svcmailbox.outbox.jdbc.Database;
import org.svcmailbox.outbox.jpa.JpaOutbox;

/** Takes orders. Knows nothing of mailboxes: it records what happened. */
@ApplicationScoped
public class Orders {
  @PersistenceContext private EntityManager entities;

  /**
   * Places an order, and records that in the same transaction: both are kept or neither is.
   *
   * @return the order's number
   * @throws OutOfStockException if there is less in stock; the transaction is rolled back, with the
   *     event that was recorded before
   */
  @Transactional
  public long place(String item, int quantity, String destination) {
    Outbox outbox = new JpaOutbox(entities, Database.H2);
    Order order = new Order(item, quantity, destination);
    entities.persist(order);
    outbox.record(order.placed());
    take(item, quantity);
    return order.number();
  }

  private void take(String name, int quantity) {
    Item item = entities.find(Item.class, name, LockModeType.PESSIMISTIC_WRITE);
    if (item == null) {
      throw new OutOfStockException("there are no " + name);
    }
    item.take(quantity);
  }
}
