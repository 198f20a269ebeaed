package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/** Filters, groups, paging and details of dead letters. */
@BrowserTest
@Tag("nightly")
class LettersIT {
  private static final String SLOW = "connect timed out";
  private static final String TWICE = "ORA-00001: unique constraint violated";
  private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  private static final byte[] PAYLOAD = {1, 2, -1};

  private final MailboxClient client;
  private final Tab tab;

  LettersIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.client = client;
    this.tab = Tab.open(browser, server).as(Person.operator(server));
  }

  @AfterEach
  void close() {
    tab.close();
  }

  private ShownLetters letters() throws IOException {
    return ShownLetters.fresh(client, "found");
  }

  private void apply(String label, String value) {
    tab.button("Clear filter").click();
    Locator field = tab.field(label);
    if (!field.isVisible()) {
      tab.page().getByText("More filters").click();
    }
    field.fill(value);
    tab.button("Apply filter").click();
  }

  private void assertFound(int number) {
    assertThat(tab.letters()).hasCount(number);
  }

  @Test
  void theUrlHoldsTheFilter() throws IOException {
    ShownLetters letters = letters();
    letters.add(3, SLOW);
    letters.add(2, TWICE);
    tab.go(letters.place());
    assertFound(5);
    apply("Error text", "ORA*");
    assertFound(2);
    tab.assertAt("q=ORA\\*");

    tab.page().reload();
    assertFound(2);
    assertThat(tab.field("Error text")).hasValue("ORA*");
    assertThat(tab.page().getByText("2 matching", exact())).isVisible();

    tab.page().goBack();
    assertFound(5);
    assertThat(tab.field("Error text")).hasValue("");
  }

  private static Page.GetByTextOptions exact() {
    return new Page.GetByTextOptions().setExact(true);
  }

  @Test
  void everyFilterFieldMatches() throws IOException {
    ShownLetters letters = letters();
    letters.add(2, SLOW);
    String id = letters.add("one", PAYLOAD, Map.of("colour", "red", "size", "a=b"), TWICE);
    String corrId =
        client
            .get("/v1/dlq/" + letters.topic() + "/" + id)
            .expect(200)
            .json()
            .path("corr_id")
            .asText();
    tab.go(letters.place());
    assertFound(3);
    Map<String, String> one =
        Map.of(
            "Idempotency key", "one",
            "Correlation id", corrId,
            "Attributes (key=value, one per line)", "colour=red\nsize=a=b",
            "Error text", "unique ora*");
    one.forEach(
        (label, value) -> {
          apply(label, value);
          assertFound(1);
          assertThat(tab.letters().first()).hasAttribute("data-id", id);
        });
    apply("Attempts", "2");
    assertFound(0);
    apply("Dead-lettered after (UTC)", "2001-01-01T00:00");
    assertFound(3);
    apply("Dead-lettered before (UTC)", "2001-01-01T00:00");
    assertFound(0);
    tab.button("Clear filter").click();
    tab.field("Reason").selectOption("integrity");
    tab.button("Apply filter").click();
    assertFound(0);
    tab.assertAt("reason=integrity");
  }

  @Test
  void clicksFilterToErrorGroups() throws IOException {
    ShownLetters letters = letters();
    letters.add(3, "HTTP 503");
    letters.add(2, "HTTP 404");
    letters.add(1, TWICE);
    tab.go(letters.place());
    Locator groups = tab.page().locator("button.group");
    assertThat(groups).hasCount(3);
    assertThat(groups.first()).containsText("3HTTP 503");
    groups.nth(1).click();
    assertFound(2);
    tab.assertAt("fingerprint=2[0-9a-f]{15}");
    assertThat(groups.nth(1)).hasAttribute("aria-pressed", "true");
    assertThat(groups.nth(1)).isFocused();
    assertThat(tab.page().getByText("2 matching", exact())).isVisible();

    groups.first().click();
    assertFound(5);
    assertThat(tab.page().getByText("5 matching", exact())).isVisible();
    tab.page().reload();
    assertFound(5);
    assertThat(tab.page().locator("button.group[aria-pressed=true]")).hasCount(2);

    groups.nth(1).click();
    assertFound(3);
    tab.button("Clear 1 chosen").click();
    assertFound(6);
    assertThat(tab.heading("Error groups")).isFocused();
  }

  /** The rows stay as they are read. */
  @Test
  void theCountsOfGroupsAreLive() throws IOException {
    ShownLetters letters = letters();
    letters.add(2, SLOW);
    tab.go(letters.place());
    Locator number = tab.page().locator(".group-count");
    assertThat(number).hasText("2");
    assertFound(2);
    letters.add(3, SLOW);
    assertThat(number).hasText("5", new LocatorAssertions.HasTextOptions().setTimeout(40_000));
    assertThat(tab.page().getByText("5 matching", exact())).isVisible();
    assertFound(2);

    tab.page().locator("button.group").click();
    tab.button("Select all 5 matching").click();
    tab.button("Redrive").click();
    assertThat(tab.dialog().locator("code")).hasText(SLOW);
  }

  @Test
  void groupsAndReasonsWorkWithTheKeyboard() throws IOException {
    ShownLetters letters = letters();
    letters.add(3, "HTTP 503");
    letters.add(2, "HTTP 404");
    tab.go(letters.place());
    Locator groups = tab.page().locator("button.group");
    assertThat(groups).hasCount(2);
    groups.first().focus();
    tab.page().keyboard().press("Space");
    assertFound(3);
    assertThat(groups.first()).isFocused();
    tab.page().keyboard().press("Tab");
    Locator reason = tab.page().locator("button.group-reason").first();
    assertThat(reason).isFocused();
    assertThat(reason).hasText("max_attempts 3");
    tab.page().keyboard().press("Tab");
    tab.page().keyboard().press("Enter");
    assertFound(5);
    assertThat(groups.nth(1)).isFocused();
    reason.focus();
    tab.page().keyboard().press("Enter");
    tab.assertAt("reason=max_attempts");
    assertThat(reason).hasAttribute("aria-pressed", "true");
    assertThat(reason).isFocused();
    assertFound(5);
  }

  @Test
  void theTableWorksWithTheKeyboard() throws IOException {
    ShownLetters letters = letters();
    letters.add(3, SLOW);
    tab.go(letters.place());
    assertFound(3);
    Locator second = tab.letters().nth(1);
    String id = second.getAttribute("data-id");
    tab.letters().first().focus();
    tab.page().keyboard().press("ArrowDown");
    assertThat(second).isFocused();
    tab.page().keyboard().press("Space");
    assertThat(second).hasAttribute("aria-selected", "true");
    assertThat(tab.page().locator(".selected")).hasText("1 dead letter selected");
    tab.page().keyboard().press("End");
    assertThat(tab.letters().last()).isFocused();
    tab.page().keyboard().press("ArrowUp");
    tab.page().keyboard().press("Enter");
    assertThat(tab.heading(id)).isFocused();
    tab.assertAt("letter=" + id);
    tab.page().keyboard().press("Escape");
    assertThat(tab.letter()).isHidden();
    assertThat(second).isFocused();
    assertThat(second).hasAttribute("aria-selected", "true");
  }

  @Test
  void pagingGoesForwardAndBack() throws IOException {
    ShownLetters letters = letters();
    letters.add(60, SLOW);
    tab.go(letters.place());
    assertFound(50);
    List<String> first = ids();
    tab.button("Next").click();
    assertFound(10);
    assertTrue(ids().stream().noneMatch(first::contains));
    assertThat(tab.button("Next")).isDisabled();

    tab.button("Previous").click();
    assertFound(50);
    assertEquals(first, ids());

    tab.button("Next").click();
    assertFound(10);
    List<String> second = ids();
    tab.page().reload();
    assertFound(10);
    assertEquals(second, ids());
    tab.button("First page").click();
    assertFound(50);
    assertEquals(first, ids());
  }

  private List<String> ids() {
    return tab.letters().all().stream().map(row -> row.getAttribute("data-id")).toList();
  }

  @Test
  void theDetailsShowEveryField() throws IOException {
    ShownLetters letters =
        ShownLetters.fresh(client.withHeaders(Map.of("traceparent", PARENT)), "known");
    String json = "{\"big\":12345678901234567890,\"twice\":1,\"twice\":2,\"list\":[{},[],\"a,b\"]}";
    Map<String, String> attrs = Map.of("content-type", "application/json", "colour", "red");
    String id = letters.add("key-1", json.getBytes(StandardCharsets.UTF_8), attrs, SLOW);
    tab.go(letters.place() + "?letter=" + id);

    assertThat(tab.heading(id)).isVisible();
    for (String said :
        List.of(
            SLOW,
            "Attempts exhausted (max_attempts)",
            "key-1",
            "red",
            "Negative acknowledgement, attempt 1",
            "4bf92f3577b34da6a3ce929d0e0e4736",
            "content type application/json",
            client
                .get("/v1/dlq/" + letters.topic() + "/" + id)
                .expect(200)
                .json()
                .path("payload_hash")
                .asText())) {
      assertThat(tab.letter()).containsText(said);
    }
    assertThat(tab.letter().locator("[data-ledger]")).hasAttribute("data-ledger", "intact");
    assertEquals(
        """
        {
          "big": 12345678901234567890,
          "twice": 1,
          "twice": 2,
          "list": [
            {},
            [],
            "a,b"
          ]
        }\
        """,
        payload());

    tab.page().reload();
    assertThat(tab.heading(id)).isVisible();
    assertThat(tab.letters().first()).hasClass(Pattern.compile("is-open"));
  }

  private String payload() {
    Locator code = tab.letter().locator(".payload-code");
    assertThat(code).not().isEmpty();
    return code.textContent();
  }

  @Test
  void undeliverableMessagesAreReportedAboveTheList() throws IOException {
    ShownLetters letters = letters();
    letters.add(1, SLOW);
    String list = "**/v1/topics?limit=1";
    tab.page()
        .route(
            list,
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setContentType("application/json")
                        .setBody(
                            "{\"topics\":[],\"dlq_profile\":\"durable\",\"undeliverable\":1}")));
    tab.go(letters.place());
    assertFound(1);
    Locator told = tab.page().locator(".undeliverable");
    assertThat(told).hasText("1 undeliverable message is waiting to be dead-lettered.");
    // Instead of unroute(), which would end the interception while the page loads.
    tab.page().route(list, Route::resume);
    tab.button("Refresh").click();
    assertThat(told).isHidden();
  }

  @Test
  void aConfiguredTraceUrlTurnsTheTraceIdIntoALink() throws IOException {
    ShownLetters letters =
        ShownLetters.fresh(client.withHeaders(Map.of("traceparent", PARENT)), "traced");
    String id = letters.add("key", PAYLOAD, Map.of(), SLOW);
    tab.go(letters.place() + "?letter=" + id);
    tab.button("Set trace link").click();
    tab.page().locator(".trace input").fill("https://traces.example/trace/{trace_id}");
    tab.button("Save in this browser").click();
    assertThat(tab.link("4bf92f3577b34da6a3ce929d0e0e4736"))
        .hasAttribute("href", "https://traces.example/trace/4bf92f3577b34da6a3ce929d0e0e4736");
    tab.page().reload();
    assertThat(tab.link("4bf92f3577b34da6a3ce929d0e0e4736")).isVisible();
  }

  @Test
  void payloadsAreFormattedByTheirContent() throws IOException {
    ShownLetters letters = letters();
    Map<String, String> xml = Map.of("content-type", "text/xml");
    Map<String, byte[]> payloads =
        Map.of(
            "<a>\n  <b>1</b>\n  <c/>\n</a>",
            "<a><b>1</b><c/></a>".getBytes(StandardCharsets.UTF_8),
            "{\n  \"packed\": true\n}",
            Payloads.gzip("{\"packed\":true}"),
            "only words",
            "only words".getBytes(StandardCharsets.UTF_8),
            "00000000  01 02 ff" + " ".repeat(41) + "...",
            PAYLOAD);
    for (Map.Entry<String, byte[]> each : payloads.entrySet()) {
      boolean isXml = each.getKey().startsWith("<");
      String id =
          letters.add(
              "key" + each.getKey().length(), each.getValue(), isXml ? xml : Map.of(), SLOW);
      open(letters, id);
      assertThat(tab.letter().locator(".pf-c-toggle-group button")).hasCount(4);
      assertEquals(each.getKey(), payload());
    }
  }

  /** Opens a dead letter; its title appears after the previous content is gone. */
  private void open(ShownLetters letters, String id) {
    tab.follow(letters.place() + "?letter=" + id);
    assertThat(tab.heading(id)).isVisible();
  }

  @Test
  void aLargePayloadIsTruncated() throws IOException {
    ShownLetters letters = letters();
    for (byte[] large : List.of(Payloads.large(), Payloads.gzip("a".repeat(20_000_000)))) {
      String id = letters.add("key" + large.length, large, Map.of(), SLOW);
      open(letters, id);
      assertThat(tab.letter()).containsText("showing the first 256.0 KiB");
      assertEquals(256 * 1024, payload().length());
    }
  }

  @Test
  void aDownloadedPayloadIsUnchanged() throws IOException {
    ShownLetters letters = letters();
    String id = letters.add("key", PAYLOAD, Map.of(), SLOW);
    tab.go(letters.place() + "?letter=" + id);
    Download download = tab.page().waitForDownload(() -> tab.button("Download payload").click());
    assertEquals(id + ".bin", download.suggestedFilename());
    assertArrayEquals(PAYLOAD, Files.readAllBytes(download.path()));
  }

  @Test
  void theCurlCommandDoesNotContainTheCapability() throws IOException {
    ShownLetters letters = letters();
    String id = letters.add("key", PAYLOAD, Map.of(), SLOW);
    List<String> presented = new ArrayList<>();
    tab.page()
        .onRequest(
            request -> {
              if (request.url().contains("/v1/dlq/")) {
                presented.add(request.headers().getOrDefault("authorization", ""));
              }
            });
    tab.context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
    tab.go(letters.place() + "?letter=" + id);
    assertThat(tab.button("Copy as curl")).isVisible();
    // The confirmation would go after two seconds, perhaps before anybody looks.
    tab.page().evaluate("() => { window.setTimeout = () => 0; }");
    tab.button("Copy as curl").click();
    assertThat(tab.letter()).containsText("Copied");
    String copied = (String) tab.page().evaluate("navigator.clipboard.readText()");
    assertTrue(copied.startsWith("curl -sS -H \"Authorization: Bearer $MAILBOX_CAPABILITY\""));
    assertTrue(copied.endsWith("/v1/dlq/" + letters.topic() + "/" + id + "'"), copied);
    assertFalse(presented.isEmpty());
    for (String header : presented) {
      assertTrue(header.startsWith("Bearer "));
      assertFalse(copied.contains(header.substring("Bearer ".length())));
    }
  }
}
