package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/**
 * Untrusted input is displayed and never interpreted. The content security policy would block most
 * scripts anyway, so each test also asserts that the text is visible and created no element.
 */
@BrowserTest
class HostileIT {
  private static final List<String> CORPUS =
      List.of(
          "<script>hacked = 1</script>",
          "<img src=x onerror=hacked=1>",
          "<svg onload=hacked=1>",
          "\"><iframe srcdoc=\"<script>parent.hacked=1</script>\">",
          "'-hacked=1-'",
          "javascript:hacked=1",
          "</textarea></title></style><b id=hacked>",
          "{{constructor.constructor('hacked=1')()}}",
          "<a href=\"javascript:hacked=1\" id=hacked>here</a>",
          "<form id=hacked action=https://evil.example><input name=attributes>",
          "<!--><math><mi xlink:href=\"data:x,<script>hacked=1</script>\">",
          "<base href=//evil.example/><meta http-equiv=refresh content=0;url=//evil.example>",
          "\\u003cscript\\u003ehacked=1\\u003c/script\\u003e",
          "&lt;script&gt;hacked=1&lt;/script&gt;",
          "__proto__",
          "=HYPERLINK(\"https://evil.example\")");

  private final MailboxServer server;
  private final MailboxClient client;
  private final Tab tab;

  /** The current text of the corpus, as a JSON string. */
  private String quoted = "";

  HostileIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.tab = Tab.open(browser, server);
  }

  @AfterEach
  void close() {
    tab.close();
  }

  private void assertInert() {
    assertEquals("undefined", tab.page().evaluate("typeof hacked"));
    Locator strange =
        tab.page()
            .locator("#hacked, img, iframe, base, form[action*=evil], svg[onload], main script");
    assertThat(strange).hasCount(0);
  }

  @Test
  void deadLettersAreOnlyText() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "hostile");
    tab.as(Person.operator(server));
    for (String text : CORPUS) {
      byte[] payload = text.getBytes(StandardCharsets.UTF_8);
      Map<String, String> attrs = Map.of("content-type", "text/html", text, text);
      String id = letters.add(text, payload, attrs, text);
      tab.follow(letters.place() + "?letter=" + id);
      assertThat(tab.heading(id)).isVisible();
      assertThat(tab.letter().locator(".error-text")).hasText(text);
      assertThat(tab.letter().locator("dt").filter(has(text)).first()).isVisible();
      assertThat(tab.letter().locator("dd").filter(has(text)).first()).isVisible();
      assertThat(tab.letter().locator(".history-note")).hasText(text);
      for (String view : List.of("JSON", "XML", "Hex", "Text")) {
        tab.letter().getByText(view, new Locator.GetByTextOptions().setExact(true)).click();
        assertInert();
      }
      assertThat(tab.letter().locator(".payload-code")).hasText(text);
      tab.button("Edit and resend").click();
      assertThat(tab.field("Payload").last()).hasValue(text);
      assertInert();
      tab.page().keyboard().press("Escape");
    }
    tab.go(letters.place());
    assertThat(tab.letters()).hasCount(CORPUS.size());
    for (String text : CORPUS) {
      assertThat(tab.page().locator(".letter-error").filter(has(text)).first()).isVisible();
      assertThat(tab.page().locator(".letter-key").filter(has(text)).first()).isVisible();
    }
    assertInert();
  }

  private static Locator.FilterOptions has(String text) {
    return new Locator.FilterOptions().setHasText(text);
  }

  @Test
  @Tag("nightly")
  void peekedMessagesAreOnlyText() throws IOException {
    String topic = TestTopics.fresh("hostile");
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    for (String text : CORPUS) {
      byte[] payload = text.getBytes(StandardCharsets.UTF_8);
      Fields message = Fields.send(topic, text, payload);
      client
          .send(message.with("attrs", Map.of("content-type", "text/html", text, text)))
          .expect(200);
    }
    tab.as(Person.operator(server)).go("#/topics/" + topic + "/messages");
    Locator entries = tab.page().locator(".peeked li");
    assertThat(entries).hasCount(CORPUS.size());
    for (int i = 0; i < CORPUS.size(); i++) {
      String text = CORPUS.get(i);
      Locator entry = entries.nth(i);
      assertThat(entry.locator(".peeked-key")).hasText(text);
      entry.locator("summary").click();
      assertThat(entry.locator("dt").filter(has(text)).first()).isVisible();
      entry.getByText("Text", new Locator.GetByTextOptions().setExact(true)).click();
      assertThat(entry.locator(".payload-code")).hasText(text);
      assertInert();
    }
  }

  @Test
  @Tag("nightly")
  void notesOfCapabilitiesAreOnlyText() throws IOException {
    for (String text : CORPUS) {
      client.mintNamed(text, "ops = peek");
    }
    tab.as(Person.operator(server)).go("#/capabilities");
    for (String text : CORPUS) {
      Locator row = tab.page().locator("table.capabilities tbody tr").filter(has(text)).first();
      assertThat(row.locator(".capability-note")).hasText(text);
      row.getByRole(AriaRole.BUTTON).click();
      assertThat(tab.dialog()).containsText(text);
      assertInert();
      tab.page().keyboard().press("Escape");
    }
    assertInert();
  }

  @Test
  @Tag("nightly")
  void urlsAreOnlyText() {
    tab.as(Person.operator(server));
    for (String text : CORPUS) {
      String encoded = URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
      tab.go(
          "#/topics/"
              + encoded
              + "/letters?q="
              + encoded
              + "&reason="
              + encoded
              + "&letter="
              + encoded);
      assertThat(tab.page().locator("h1")).hasText("No topic " + text);
      assertThat(tab.page().getByRole(AriaRole.ALERT).first()).isVisible();
      assertInert();
      tab.follow("#/jobs/" + encoded);
      assertThat(tab.page().locator("h1")).hasText("Job " + text);
      assertThat(tab.page().getByRole(AriaRole.ALERT).first()).isVisible();
      assertInert();
      tab.follow("#/messages/" + encoded);
      assertThat(tab.page().locator("h1")).hasText("Message " + text);
      assertThat(tab.page().getByRole(AriaRole.ALERT).first()).isVisible();
      assertInert();
      tab.follow("#/" + encoded);
      assertThat(tab.heading("No such page")).isVisible();
      assertInert();
    }
  }

  @Test
  @Tag("nightly")
  void problemsJobsAndNotesAreOnlyText() throws IOException {
    // Before the first page loads: a request that is under way when the first mock is added may
    // never get its response.
    answer(
        "/v1/jobs/",
        200,
        "{\"job_id\":\"j0123456789abcdef\",\"topic\":%1$s,\"action\":%1$s,\"state\":\"failed\",\"total\":2,\"done\":0,\"failed\":1,\"gone\":1,\"by_reason\":{%1$s:2},\"rate_per_s\":1,\"to_topic\":%1$s,\"note\":%1$s,\"filter\":{\"q\":%1$s,\"attrs\":{%1$s:%1$s}},\"started_by\":\"k1:00\",\"started_by_name\":%1$s,\"patterns\":[%1$s],\"left\":0,\"dead_again\":1,\"started_at\":\"2026-11-22T03:00:00Z\",\"updated_at\":\"2026-11-22T03:00:00Z\",\"waiting_for\":%1$s,\"ended_because\":%1$s,\"errors\":[{\"msg_id\":%1$s,\"detail\":%1$s}],\"errors_dropped\":1}");
    answer(
        "/v1/audit[?](?!.*after=)",
        200,
        "{\"no\":1,\"at\":\"2026-11-22T03:00:00Z\",\"actor\":\"k1:00\",\"actor_name\":%1$s,\"address\":%1$s,\"action\":%1$s,\"subject\":%1$s,\"note\":%1$s}\n");
    answer("/v1/audit[?].*after=", 200, "");
    answer(
        "/v1/dlq/some[.]topic",
        400,
        "{\"title\":%1$s,\"detail\":%1$s,\"code\":%1$s,\"corr_id\":%1$s,\"errors\":[{\"field\":%1$s,\"message\":%1$s}]}");
    client.putTopic("some.topic", Fields.of("ready_shards", 1)).expect(201);
    tab.as(Person.operator(server));
    for (String text : CORPUS) {
      quoted = Fields.of("x", text).text().replaceFirst("\\{\"x\":", "").replaceFirst("}$", "");
      tab.follow("#/jobs/j0123456789abcdef");
      tab.page().getByText("2 errors").click();
      assertThat(tab.page().locator(".job-errors")).containsText(text);
      assertThat(tab.page().locator(".job .actor-name")).hasText(text);
      assertThat(tab.page().locator(".job-patterns")).hasText(text);
      assertInert();
      tab.follow("#/audit");
      assertThat(tab.page().locator("table.audit tbody tr").first()).containsText(text);
      assertThat(tab.page().locator("table.audit .actor-name").first()).hasText(text);
      assertInert();
      tab.follow("#/topics/some.topic/letters");
      assertThat(tab.page().locator(".problem").first()).containsText(text);
      assertInert();
    }
  }

  @Test
  void namesAreOnlyText() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "hostile");
    tab.as(Person.operator(server));
    for (String text : CORPUS) {
      MailboxClient holder = client.with(client.mintNamed(text));
      String id = letters.as(holder).add(text, new byte[] {1}, Map.of(), "no");
      tab.follow(letters.place() + "?letter=" + id);
      assertThat(tab.letter().locator(".history-by .actor-name")).hasText(text);
      assertInert();
      tab.follow("#/messages/" + id);
      assertThat(tab.page().locator("[data-fact=nacked] .actor-name")).hasText(text);
      assertInert();
    }
  }

  @Test
  void messagesAreOnlyText() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "hostile");
    tab.as(Person.operator(server));
    for (String text : CORPUS.subList(0, 4)) {
      String id = letters.add(text, new byte[] {1}, Map.of(), text);
      tab.follow("#/messages/" + id);
      assertThat(tab.page().locator("[data-fact=nacked] .history-note")).hasText(text);
      assertThat(tab.page().locator("dd").filter(has(text)).first()).isVisible();
      assertInert();
    }
  }

  /** Mocks a response with the current text in every field. */
  private void answer(String path, int status, String form) {
    tab.page()
        .route(
            Pattern.compile(path),
            route ->
                route.fulfill(
                    new Route.FulfillOptions().setStatus(status).setBody(form.formatted(quoted))));
  }

  @Test
  void invisibleCharactersAreMadeVisible() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "unseen");
    String id =
        letters.add("key", new byte[] {1}, Map.of(), "pay \u202Eenil\u202C \u200Bhidden\u0000");
    tab.as(Person.viewer(server)).go(letters.place() + "?letter=" + id);
    assertThat(tab.letter().locator(".error-text"))
        .hasText(
            "pay \u2039U+202E\u203Aenil\u2039U+202C\u203A"
                + " \u2039U+200B\u203Ahidden\u2039U+0000\u203A");
  }
}
