package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.MessageStream;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** The live overview of topics. */
@BrowserTest
@Tag("nightly")
class OverviewIT {
  private static final String EVENTS = "**/v1/events*";
  private static final String LIST = "**/v1/topics?*";
  private static final String TOTALS =
      "\"totals\":{\"topics\":1,\"ready\":1,\"scheduled\":0,\"inflight\":0,\"dlq\":1,"
          + "\"sent_per_s\":0,\"delivered_per_s\":0,\"acked_per_s\":0},";

  private final MailboxServer server;
  private final MailboxClient client;
  private final Tab tab;

  OverviewIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.tab = Tab.open(browser, server);
  }

  @AfterEach
  void close() {
    tab.close();
  }

  private Locator row(String topic) {
    tab.field("Filter topics").fill(topic);
    Locator row = tab.page().locator("table.topics tbody tr");
    assertThat(row).hasCount(1);
    return row;
  }

  private static Locator cell(Locator row, String label) {
    return row.locator("[data-label='" + label + "']");
  }

  private void assertStatus(String how) {
    assertThat(tab.page().locator(".live-status")).hasText(how);
  }

  private static LocatorAssertions.HasTextOptions within(int seconds) {
    return new LocatorAssertions.HasTextOptions().setTimeout(seconds * 1_000.0);
  }

  private void answer(String path, String type, String body) {
    tab.page()
        .route(
            path,
            route -> route.fulfill(new Route.FulfillOptions().setContentType(type).setBody(body)));
  }

  @Test
  void theNumbersUpdateLive() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "watched");
    letters.add(2, "connect timed out");
    tab.as(Person.viewer(server)).go("#/topics");
    assertStatus("Live");
    assertThat(cell(row(letters.topic()), "Dead letters")).hasText("2");
    letters.add(1, "connect timed out");
    String waiting = ShownLetters.fresh(client, "waiting").topic();
    assertThat(cell(row(letters.topic()), "Dead letters")).hasText("3");
    assertThat(cell(row(waiting), "Ready")).hasText("0");
    client.send(waiting, "key", new byte[] {1}).expect(200);
    assertThat(cell(row(waiting), "Ready")).hasText("1");
    // The service counts for ten seconds.
    assertThat(cell(row(waiting), "Sent /s")).hasText(Pattern.compile("0\\.[12]"), within(20));
    assertThat(cell(row(waiting), "Oldest ready")).hasText(Pattern.compile("\\d+ s"));
    assertThat(cell(row(waiting), "In flight")).hasText("0");

    row(letters.topic());
    tab.link("3 dead letters of " + letters.topic()).click();
    assertThat(tab.letters()).hasCount(3);
  }

  @Test
  void rowsStayWhileTheFocusGoesThroughThem() throws IOException {
    String both = TestTopics.fresh("kept");
    List<String> before = List.of(both + ".long", both + ".short");
    for (String topic : before) {
      client.putTopic(topic, Fields.NONE).expect(201);
    }
    client.send(before.get(0), "key-1", new byte[] {1}).expect(200);
    client.send(before.get(0), "key-2", new byte[] {1}).expect(200);
    client.send(before.get(1), "key-3", new byte[] {1}).expect(200);
    tab.as(Person.viewer(server)).go("#/topics?sort=ready&q=" + both);
    Locator names = tab.page().locator("a.topic-name");
    assertThat(names).hasText(before.toArray(String[]::new));
    names.first().focus();
    for (int i = 4; i < 9; i++) {
      client.send(before.get(1), "key-" + i, new byte[] {1}).expect(200);
    }
    Locator second = tab.page().locator("table.topics tbody tr").nth(1);
    assertThat(cell(second, "Ready")).hasText("6");
    while (!names.nth(1).evaluate("name => name === document.activeElement").equals(true)) {
      tab.page().keyboard().press("Tab");
      assertEquals(before, names.allTextContents());
    }
    tab.field("Filter topics").focus();
    assertThat(names).hasText(new String[] {before.get(1), before.get(0)});
  }

  @Test
  void operatorsSeeWhoHoldsStreams() throws IOException {
    String topic = TestTopics.fresh("streamed");
    client.send(topic, "key", new byte[] {1}).expect(200);
    Fields request = Fields.of("topic", topic).with("window", 1).with("visibility_ms", 60_000);
    Locator row =
        tab.page()
            .locator("table.streams tbody tr")
            .filter(new Locator.FilterOptions().setHasText(topic));
    try (MessageStream stream = MessageStream.open(server.target(), request)) {
      stream.next("open");
      stream.messages(1);
      tab.as(Person.operator(server)).go("");
      assertThat(cell(row, "Door")).hasText("HTTP");
      assertThat(cell(row, "Capability")).hasText(Pattern.compile("[0-9a-f]{32}"));
      assertThat(cell(row, "Since (UTC)")).containsText("ago");
      assertThat(cell(row, "Unsettled")).hasText("1");
      assertThat(cell(row, "Paused")).hasText("window");
    }
    assertThat(row).hasCount(0);
  }

  @Test
  void viewersDoNotSeeWhoHoldsStreams() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    tab.page()
        .onRequest(
            request -> {
              if (request.url().contains("/v1/streams")) {
                asked.incrementAndGet();
              }
            });
    Fields request = Fields.of("topic", TestTopics.fresh("streamed"));
    try (MessageStream stream = MessageStream.open(server.target(), request)) {
      stream.next("open");
      tab.as(Person.viewer(server)).go("");
      assertStatus("Live");
      assertThat(tab.page().locator("section.streams")).isHidden();
      assertEquals(0, asked.get());
    }
  }

  @Test
  void theOverviewPollsWithoutEvents() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "polled");
    letters.add(1, "connect timed out");
    tab.page().route(EVENTS, route -> route.fulfill(new Route.FulfillOptions().setStatus(429)));
    tab.as(Person.viewer(server)).go("#/topics");
    assertStatus("Polling every 5 seconds");
    assertThat(cell(row(letters.topic()), "Dead letters")).hasText("1");
  }

  @Test
  void aHiddenTabPauses() {
    AtomicInteger asked = new AtomicInteger();
    tab.page()
        .onRequest(
            request -> {
              if (request.url().contains("/v1/events")) {
                asked.incrementAndGet();
              }
            });
    tab.as(Person.viewer(server)).go("");
    assertStatus("Live");
    assertEquals(1, asked.get());
    hide(true);
    assertStatus("Paused");
    assertEquals(1, asked.get());
    hide(false);
    assertStatus("Live");
    assertEquals(2, asked.get());
  }

  /** The banner's question, every five seconds, is the only one that needs no capability. */
  @Test
  void aHiddenTabDoesNotAskForReadiness() {
    tab.as(Person.viewer(server)).go("");
    assertStatus("Live");
    hide(true);
    AtomicInteger asked = new AtomicInteger();
    tab.page().onRequest(request -> asked.incrementAndGet());
    tab.page().waitForTimeout(11_000);
    assertEquals(0, asked.get());
    tab.page().waitForRequest("**/readyz", () -> hide(false));
  }

  @Test
  void aPartThatIsDownIsToldOnEveryPageAndFreezesTheBadge() {
    answer(
        "**/readyz",
        "application/json",
        "{\"status\":\"DOWN\",\"checks\":[{\"name\":\"disk\",\"status\":\"DOWN\",\"data\":{"
            + "\"affects\":\"writes\",\"since\":\"2020-01-02T02:14:00.000Z\","
            + "\"detail\":\"<b>full</b>\"}}]}");
    Locator banner = tab.page().locator(".frame-outage");
    String said = "Since 2020-01-02 02:14 UTC disk is down. Refused: SEND. <b>full</b>.";
    tab.go("");
    assertThat(tab.field("Password")).isVisible();
    assertThat(banner).hasText(said);
    tab.as(Person.operator(server)).go("");
    assertStatus("Frozen since 2020-01-02 02:14 UTC");
    assertThat(banner).hasText(said);
    for (String place : new String[] {"#/jobs", "#/audit"}) {
      tab.follow(place);
      assertThat(banner).hasText(said);
    }
    tab.page().route("**/readyz", Route::resume);
    assertThat(banner).hasCount(0);
  }

  /** Simulates switching tabs. */
  private void hide(boolean isHidden) {
    tab.page()
        .evaluate(
            "isHidden => {Object.defineProperty(document, 'hidden', {value: isHidden, configurable:"
                + " true});document.dispatchEvent(new Event('visibilitychange')); }",
            isHidden);
  }

  @Test
  void ephemeralDeadLettersCauseAWarning() {
    answer(
        EVENTS,
        "text/event-stream",
        "event: topics\ndata: {\"topics\":[{\"name\":\"short.lived\",\"paused\":true,\"depth\":1,"
            + "\"ready\":1,\"scheduled\":0,\"inflight\":0,\"dlq\":1,\"saturation\":0.93,"
            + "\"oldest_ready_age_ms\":0,\"sent_per_s\":0}],"
            + TOTALS
            + "\"dlq_profile\":\"ephemeral\"}\n\n");
    tab.as(Person.viewer(server)).go("");
    assertThat(tab.page().getByText("Dead letters are ephemeral")).isVisible();
    Locator only = tab.page().locator("table.topics tbody tr");
    assertThat(only).containsText("(paused)");
    assertThat(cell(only, "Saturation")).hasText("93 % (high)");
  }

  @Test
  void theDiskIsShownWithItsReserve() {
    tab.as(Person.viewer(server)).go("");
    assertThat(tab.page().locator("[data-disk=ok]"))
        .hasText(Pattern.compile("Data disk: .* GiB free, 256.0 MiB reserved."));
  }

  @Test
  void aFullDiskIsShownAsRefusingMessages() {
    answer(
        EVENTS,
        "text/event-stream",
        "event: topics\ndata: {\"topics\":[],"
            + TOTALS
            + "\"dlq_profile\":\"durable\","
            + "\"disk\":{\"free_bytes\":1048576,\"reserve_bytes\":33554432}}\n\n");
    tab.as(Person.viewer(server)).go("");
    assertThat(tab.page().locator("[data-disk=full]"))
        .hasText("Data disk: 1.0 MiB free, 32.0 MiB reserved. New messages are refused.");
  }

  @Test
  void undeliverableMessagesAreReported() {
    answer(
        EVENTS,
        "text/event-stream",
        "event: topics\ndata: {\"topics\":[],"
            + TOTALS
            + "\"dlq_profile\":\"durable\","
            + "\"undeliverable\":12000}\n\n");
    tab.as(Person.viewer(server)).go("");
    Locator told = tab.page().locator(".undeliverable");
    assertThat(told).hasText("12,000 undeliverable messages are waiting to be dead-lettered.");
    // Instead of unroute(), which would end the interception while the page loads.
    tab.page().route(EVENTS, Route::resume);
    assertThat(told).isHidden();
  }

  @Test
  void aLostConnectionIsReportedAndRestored() {
    tab.as(Person.viewer(server)).go("");
    assertStatus("Live");
    tab.context().setOffline(true);
    Locator banner = tab.page().getByText("No connection to the server");
    assertThat(banner).isVisible();
    tab.context().setOffline(false);
    assertThat(banner).hasCount(0);
    assertStatus("Live");
  }

  @Test
  void aProblemIsShown() {
    tab.page().route(EVENTS, route -> route.fulfill(new Route.FulfillOptions().setStatus(503)));
    tab.page()
        .route(
            LIST,
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setStatus(503)
                        .setContentType("application/problem+json")
                        .setBody(
                            "{\"title\":\"Unavailable\",\"detail\":\"the broker is away\","
                                + "\"code\":\"E_UNAVAILABLE\",\"retry_after_ms\":2000}")));
    tab.as(Person.viewer(server)).go("");
    Locator alert = tab.page().getByRole(AriaRole.ALERT);
    for (String said : new String[] {"Unavailable", "the broker is away", "E_UNAVAILABLE", "2 s"}) {
      assertThat(alert).containsText(said);
    }
  }
}
