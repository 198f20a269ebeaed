package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;

/**
 * Takes the pictures of the documents, from pages that show real traffic. It runs by {@code
 * -Dpictures=DIR -Dit.test=PicturesIT} alone, so that no other test's topics are in them; {@code
 * -Dpictures.minutes} (6) is how long the traffic lasts.
 */
@BrowserTest
@EnabledIfSystemProperty(named = "pictures", matches = ".+")
class PicturesIT {
  private static final int WIDTH = 1360;
  private static final int HEIGHT = 900;
  private static final int PHONE_WIDTH = 390;
  private static final int PHONE_HEIGHT = 844;
  private static final double UPDATES_MS = 2_000;
  private static final Duration TURN = Duration.ofSeconds(1);
  private static final List<String> TOPICS = List.of("orders", "invoices", "mails", "thumbnails");

  private static final Locator.FilterOptions REDRIVES =
      new Locator.FilterOptions().setHasText("Redrive");

  /** Errors that consumers of {@code orders} give, each for one message in so many. */
  private static final Map<Integer, String> ERRORS =
      Map.of(
          17, "HTTP 503 from stock.internal after 30000 ms",
          41, "HTTP 404: no such article 81723",
          67, "ERROR: duplicate key value violates unique constraint, SQLSTATE 23505",
          97, "java.lang.NullPointerException: Order.customer is null");

  private final MailboxServer server;
  private final MailboxClient client;
  private final Browser browser;
  private final Path directory = Path.of(System.getProperty("pictures", ""));
  private int sent;

  PicturesIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.browser = browser;
  }

  @Test
  void eachPageIsTaken() throws IOException {
    traffic(Duration.ofMinutes(Integer.getInteger("pictures.minutes", 6)));
    try (Tab tab = open(ColorScheme.LIGHT)) {
      String letter = letters(tab, "console-light");
      redrive(tab);
      take(tab, "overview", "overview");
      take(tab, "topics", "topics");
      take(tab, "topics/mails/charts", "charts");
      take(tab, "topics/thumbnails/messages", "topic-messages");
      take(tab, "topics/orders/scheduled", "scheduled");
      take(tab, "topics/orders/leases", "leases");
      take(tab, "topics/orders/settings", "settings");
      take(tab, "messages/" + letter, "messages");
      take(tab, "audit?action=*", "audit");
      take(tab, "capabilities", "capabilities");
    }
    try (Tab tab = open(ColorScheme.DARK)) {
      letters(tab, "console-dark");
      tab.page().setViewportSize(PHONE_WIDTH, PHONE_HEIGHT);
      take(tab, "overview", "phone");
    }
  }

  private Tab open(ColorScheme colors) {
    Tab tab = Tab.open(browser, server, colors, WIDTH);
    tab.page().setViewportSize(WIDTH, HEIGHT);
    return tab.as(Person.operator(server));
  }

  private void take(Tab tab, String place, String picture) {
    tab.go("#/" + place);
    assertThat(tab.page().locator("h1").first()).isVisible();
    keep(tab, "console-" + picture);
  }

  /** Waits for two live updates, which no test could tell from none. */
  private void keep(Tab tab, String picture) {
    tab.page().evaluate("() => document.fonts.ready");
    tab.page().waitForTimeout(UPDATES_MS);
    tab.page()
        .screenshot(new Page.ScreenshotOptions().setPath(directory.resolve(picture + ".png")));
  }

  /** Takes the letters of {@code orders} with the first one open. */
  private String letters(Tab tab, String picture) {
    tab.go("#/topics/orders/letters");
    Locator first = tab.letters().first();
    first.getByRole(AriaRole.LINK).first().click();
    assertThat(tab.letter()).isVisible();
    keep(tab, picture);
    return String.valueOf(first.getAttribute("data-id"));
  }

  /** Takes the dialog that redrives one group, and the job that paused after its first letters. */
  private void redrive(Tab tab) {
    tab.go("#/topics/orders/letters");
    tab.page().locator("button.group").first().click();
    keep(tab, "console-groups");
    tab.button("Select all").click();
    tab.button("Redrive").click();
    assertThat(tab.dialog()).containsText("Dry run");
    tab.field("Audit note").fill("stock.internal is back, INC-2214");
    tab.field("Type orders to confirm").fill("orders");
    keep(tab, "console-redrive");
    tab.dialog().getByRole(AriaRole.BUTTON).filter(REDRIVES).click();
    tab.link("View job").click();
    assertThat(tab.page().locator(".job")).hasAttribute("data-state", "paused");
    keep(tab, "console-job");
  }

  /** Sends and receives in the pace of a small shop. The consumer of mails is away for a third. */
  private void traffic(Duration length) throws IOException {
    for (String topic : TOPICS) {
      client.putTopic(topic, Fields.of("ready_shards", 4).with("max_attempts", 1)).expect(201);
    }
    long turns = length.dividedBy(TURN);
    for (long turn = 0; turn < turns; turn++) {
      boolean isAway = turn * 3 / turns == 1;
      for (String topic : TOPICS) {
        send(topic);
        if (!isAway || !topic.equals("mails")) {
          receive(topic);
        }
      }
      LockSupport.parkNanos(TURN.toNanos());
    }
    client.send(order("orders").with("delay_ms", 3_600_000)).expect(200);
    send("thumbnails");
    Fields held = Fields.of("topic", "orders").with("visibility_ms", 600_000);
    MailboxClient worker =
        client.with(client.mintNamed("worker of Berlin", "ops = recv", "topic = orders"));
    worker.recv(held.with("max_messages", 8)).expect(200);
  }

  private void send(String topic) throws IOException {
    List<Fields> messages = new ArrayList<>();
    for (int i = 0; i < 3 + sent % 5; i++) {
      messages.add(order(topic));
    }
    client.sendBatch(messages).expect(200);
  }

  private Fields order(String topic) {
    sent++;
    String text =
        "{\"order\":%d,\"article\":81723,\"amount\":%d,\"currency\":\"EUR\"}"
            .formatted(4_700 + sent, 1 + sent % 7);
    return Fields.send(
            topic, topic.charAt(0) + "-" + (4_700 + sent), text.getBytes(StandardCharsets.UTF_8))
        .with("attrs", Map.of("content-type", "application/json", "shop", "berlin"));
  }

  private void receive(String topic) throws IOException {
    Fields request =
        Fields.of("topic", topic).with("visibility_ms", 20_000).with("max_messages", 20);
    List<Message> done = new ArrayList<>();
    for (Message message : client.recv(request).expect(200).messages()) {
      Optional<String> error = topic.equals("orders") ? error(message) : Optional.empty();
      if (error.isPresent()) {
        client.nack(message, Fields.of("reason", error.get()).with("delay_ms", 0)).expect(200);
      } else {
        done.add(message);
      }
    }
    if (!done.isEmpty()) {
      client.ackBatch(done).expect(200);
    }
  }

  private static Optional<String> error(Message message) {
    int hash = Math.floorMod(message.msgId().hashCode(), 10_000);
    return ERRORS.entrySet().stream()
        .filter(entry -> hash % entry.getKey() == 0)
        .map(Map.Entry::getValue)
        .findFirst();
  }
}
