package org.svcmailbox.examples.outbox;

import jakarta.enterprise.context.RequestScoped;
import jakarta.inject.Inject;
import jakarta.json.Json;
import jakarta.json.JsonObject;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.Status;
import java.sql.SQLException;

/** Orders, and how far each has come. */
@Path("/")
@RequestScoped
@Produces(MediaType.APPLICATION_JSON)
public class OrdersResource {
  private static final int MAX_TEXT = 100;

  @Inject private Orders orders;
  @Inject private Progress progress;

  /** Places an order; 409 if there is less in stock. */
  @POST
  @Path("orders")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response place(JsonObject order) {
    String item = order.getString("item", "");
    int quantity = order.getInt("quantity", 0);
    String destination = order.getString("destination", "");
    if (!isText(item) || quantity < 1 || !isText(destination)) {
      return refused(Status.BAD_REQUEST, "item, quantity and destination are required");
    }
    try {
      long number = orders.place(item, quantity, destination);
      return Response.status(Status.CREATED)
          .entity(Json.createObjectBuilder().add("order", number).build())
          .build();
    } catch (OutOfStockException e) {
      return refused(Status.CONFLICT, e.getMessage());
    }
  }

  private static boolean isText(String text) {
    return !text.isBlank() && text.length() <= MAX_TEXT;
  }

  private static Response refused(Status status, String why) {
    return Response.status(status)
        .entity(Json.createObjectBuilder().add("detail", why).build())
        .build();
  }

  /** The last orders with their times, and how many events wait in the outbox. */
  @GET
  @Path("orders")
  public JsonObject orders() throws SQLException {
    return Json.createObjectBuilder()
        .add("orders", progress.orders())
        .add("outbox_backlog", progress.backlog())
        .build();
  }

  /** The last shipments. */
  @GET
  @Path("shipments")
  public JsonObject shipments() {
    return Json.createObjectBuilder().add("shipments", progress.shipments()).build();
  }
}
