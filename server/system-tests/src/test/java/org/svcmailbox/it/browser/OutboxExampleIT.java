package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** The example of an outbox and an inbox, deployed beside the service. */
@BrowserTest
@Tag("nightly")
class OutboxExampleIT {
  private static final String TOPIC = "example.shipping";
  private static final String ORDERS = "/orders/api/orders";
  private static final String REASON = "no carrier delivers to Atlantis";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MORE_THAN_THERE_ARE = 5_000;

  private final MailboxServer server;
  private final MailboxClient client;
  private final Browser browser;

  OutboxExampleIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.browser = browser;
  }

  @BeforeAll
  static void deploy(MailboxServer server, MailboxClient client) throws IOException {
    Path capability = server.data().resolve("orders/mailbox.cap");
    Files.createDirectories(capability.getParent());
    Files.writeString(
        capability, client.mint("topic = " + TOPIC, "ops = send,recv,ack,nack,extend"));
    Path war =
        Path.of(System.getProperty("mailbox.examples"), "outbox/target/orders.war")
            .toAbsolutePath();
    server.manage(
        "/system-property=orders.mailbox:add(value=" + server.uri() + ")", "deploy " + war);
  }

  /** The application settles what it holds before it ends. */
  @AfterAll
  static void undeploy(MailboxServer server, MailboxClient client) throws IOException {
    server.manage("undeploy orders.war", "/system-property=orders.mailbox:remove");
    assertEquals(0, client.topic(TOPIC).expect(200).json().path("inflight").asInt(-1));
  }

  private static Fields order(int quantity, String destination) {
    return Fields.of("item", "apples").with("quantity", quantity).with("destination", destination);
  }

  private long place(Fields order) throws IOException {
    return client.post(ORDERS, order).expect(201).json().path("order").asLong();
  }

  private JsonNode progress() throws IOException {
    return client.get(ORDERS).expect(200).json();
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  private JsonNode progress(long order) throws IOException {
    return stream(progress().path("orders"))
        .filter(one -> one.path("order").asLong() == order)
        .findFirst()
        .orElseThrow();
  }

  private JsonNode await(long order, String what) {
    Deadline.in(PATIENCE).await(() -> progress(order).has(what), () -> order + " is " + what);
    try {
      return progress(order);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private long shipments(String destination) throws IOException {
    JsonNode shipments = client.get("/orders/api/shipments").expect(200).json().path("shipments");
    return stream(shipments)
        .filter(one -> one.path("destination").asText().equals(destination))
        .count();
  }

  private List<JsonNode> letters() throws IOException {
    return stream(client.get("/v1/dlq/" + TOPIC).expect(200).json().path("letters")).toList();
  }

  /** Every event of a committed transaction is accepted, received and settled. */
  private boolean isQuiet() throws IOException {
    if (progress().path("outbox_backlog").asLong(-1) != 0) {
      return false;
    }
    JsonNode topic = client.topic(TOPIC).expect(200).json();
    return topic.path("ready").asInt(-1) == 0 && topic.path("inflight").asInt(-1) == 0;
  }

  @Test
  void anOrderIsShippedOnce() throws IOException {
    String destination = "Lisbon " + UUID.randomUUID();
    long number = place(order(2, destination));
    await(number, "handled");
    // The publisher may record the answer to its call after the event was handled.
    JsonNode order = await(number, "accepted");
    Instant recorded = Instant.parse(order.path("recorded").asText());
    assertTrue(recorded.isBefore(Instant.parse(order.path("accepted").asText())), order::toString);
    Instant received = Instant.parse(order.path("received").asText());
    assertTrue(recorded.isBefore(received), order::toString);
    assertTrue(received.isBefore(Instant.parse(order.path("handled").asText())), order::toString);
    assertEquals(1, shipments(destination));
  }

  @Test
  void aPoisonedOrderIsOneDeadLetterWithItsReason() throws IOException {
    Deadline.in(PATIENCE).await(this::isQuiet, () -> "rest");
    int before = letters().size();
    long order = place(order(1, "Atlantis"));
    assertEquals(REASON, await(order, "dead_letter").path("dead_letter").asText());
    Deadline.in(PATIENCE).await(this::isQuiet, () -> "rest");
    List<JsonNode> letters = letters();
    assertEquals(before + 1, letters.size(), letters::toString);
    for (JsonNode letter : letters) {
      assertEquals("rejected", letter.path("reason").asText());
      assertEquals(REASON, letter.path("last_error").asText());
    }
    assertEquals(0, shipments("Atlantis"));
  }

  @Test
  void anOrderThatIsRolledBackIsNeverSeen() throws IOException {
    String destination = "Nairobi " + UUID.randomUUID();
    client.post(ORDERS, order(MORE_THAN_THERE_ARE, destination)).expect(409);
    Deadline.in(PATIENCE).await(this::isQuiet, () -> "rest");
    assertEquals(0, shipments(destination));
    assertTrue(
        stream(progress().path("orders"))
            .noneMatch(one -> one.path("destination").asText().equals(destination)));
  }

  @Test
  void thePageShowsHowFarOrdersHaveCome() throws IOException {
    try (Tab tab = Tab.open(browser, server)) {
      tab.page().navigate(server.uri().resolve("/orders/").toString());
      tab.field("Destination").fill("Kyoto");
      tab.button("Place order").click();
      Locator newest = tab.page().locator("tbody tr").first();
      assertThat(newest).containsText("Kyoto");
      for (int column = 2; column < 6; column++) {
        assertThat(newest.locator("td").nth(column)).not().isEmpty();
      }
      tab.field("Quantity").fill(Integer.toString(MORE_THAN_THERE_ARE));
      tab.button("Place order").click();
      assertThat(tab.page().getByText("No order is placed")).isVisible();
      tab.button("Poisoned order").click();
      assertThat(newest).containsText("Dead letter: " + REASON);
      assertEquals(List.of(), Axe.findings(tab.page()));
      tab.keep("orders");
      // The application records a dead letter before the service has it.
      Deadline.in(PATIENCE).await(() -> !letters().isEmpty(), () -> "the dead letter");
      tab.as(Person.operator(server)).go("#/topics/" + TOPIC + "/letters");
      assertThat(tab.letters().first()).containsText(REASON);
    }
  }
}
