package org.svcmailbox.examples.outbox;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.json.JsonReader;
import jakarta.persistence.EntityManager;
import jakarta.persistence.PersistenceContext;
import jakarta.transaction.Transactional;
import java.io.StringReader;
import org.svcmailbox.outbox.inbox.HandlerPayload;
import org.svcmailbox.outbox.inbox.HandlerResult;
import org.svcmailbox.outbox.inbox.HandlerResult.Poison;
import org.svcmailbox.outbox.inbox.HandlerResult.Processed;

/** Ships what was ordered. */
@ApplicationScoped
public class Shipping {
  private static final String NOWHERE = "Atlantis";

  @PersistenceContext private EntityManager entities;

  /**
   * Handles an event in the transaction of the inbox. A shipment is there exactly if the inbox says
   * that the event is processed: poison has the transaction rolled back.
   */
  @Transactional(Transactional.TxType.MANDATORY)
  public HandlerResult ship(HandlerPayload event) {
    JsonObject order = payload(event);
    String destination = order.getString("destination");
    entities.persist(new Shipment(order.getJsonNumber("order").longValueExact(), destination));
    return destination.equals(NOWHERE)
        ? new Poison("no carrier delivers to " + NOWHERE)
        : new Processed();
  }

  private static JsonObject payload(HandlerPayload event) {
    try (JsonReader reader = Json.createReader(new StringReader(event.payload().json()))) {
      return reader.readObject();
    }
  }
}
