package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** An administrator runs a topic from the console. */
@BrowserTest
class TopicPagesIT {
  private static final int WIDE = 1360;
  private static final int PHONE = 390;
  private static final String HOSTILE = "<img src=x onerror=hacked=1>";

  private final MailboxServer server;
  private final MailboxClient client;
  private final Browser browser;
  private final String topic = TestTopics.fresh("run");

  TopicPagesIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.browser = browser;
  }

  private Tab open(int width) {
    return Tab.open(browser, server, ColorScheme.LIGHT, width).as(Person.operator(server));
  }

  private String place(String tab) {
    return "#/topics/" + topic + "/" + tab;
  }

  private JsonNode now() throws IOException {
    return client.topic(topic).expect(200).json();
  }

  private static Locator inDialog(Tab tab, String button) {
    return tab.dialog().getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button));
  }

  private static Locator rows(Tab tab, String table) {
    return tab.page().locator("table." + table + " tbody tr");
  }

  /** Both themes without findings, and nothing wider than the screen. */
  private static void check(Tab tab, String page) {
    for (ColorScheme colors : List.of(ColorScheme.DARK, ColorScheme.LIGHT)) {
      tab.prefer(colors);
      assertThat(tab.page().locator("html.pf-theme-dark"))
          .hasCount(colors == ColorScheme.DARK ? 1 : 0);
      tab.keep(tab.page().viewportSize().width + "-" + colors + "-topic-" + page);
      Axe.check(tab.page(), page);
    }
    assertEquals("undefined", tab.page().evaluate("typeof hacked"));
  }

  @Test
  void settingsChangeThroughAConflict() throws IOException {
    settingsChangeThroughAConflict(WIDE);
  }

  @Test
  @Tag("nightly")
  void settingsChangeThroughAConflictOnAPhone() throws IOException {
    settingsChangeThroughAConflict(PHONE);
  }

  private void settingsChangeThroughAConflict(int width) throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1).with("max_attempts", 4)).expect(201);
    try (Tab tab = open(width)) {
      tab.go(place("settings"));
      Locator attempts = tab.field("Attempts before a dead letter");
      Locator overdue = tab.field("A ready message is overdue after");
      assertThat(attempts).hasValue("4");
      assertThat(overdue).hasValue("");
      assertThat(overdue).hasAttribute("placeholder", "5m");
      check(tab, "settings");
      overdue.fill("soon");
      tab.button("Review changes").click();
      assertThat(tab.dialog()).containsText("the service’s → soon");
      check(tab, "diff");
      inDialog(tab, "Save changes").click();
      assertThat(tab.dialog()).hasCount(0);
      assertThat(overdue).hasAttribute("aria-invalid", "true");
      assertThat(overdue).isFocused();
      overdue.fill("90s");

      client.changeTopic(topic, Fields.of("max_attempts", 6), "").expect(200);
      tab.button("Review changes").click();
      inDialog(tab, "Save changes").click();
      Locator conflict = tab.page().locator(".pf-m-warning");
      assertThat(conflict).containsText("Attempts before a dead letter: 4 → 6");
      assertThat(conflict).containsText("A ready message is overdue after: the service’s → 90s");
      assertThat(attempts).hasValue("6");
      assertThat(overdue).hasValue("90s");
      check(tab, "conflict");
      assertEquals("5m", now().path("alert_ready_age").asText());

      tab.button("Review changes").click();
      inDialog(tab, "Save changes").click();
      assertThat(tab.page().locator("#notices")).containsText("are changed");
      assertEquals(
          "{\"ready_shards\":1,\"max_attempts\":6,\"alert_ready_age\":\"90s\"}",
          now().path("overrides").toString());
    }
  }

  /** By keyboard alone. */
  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(ints = {WIDE, PHONE})
  void aLeaseEndsByKeyboard(int width) throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    for (int i = 0; i < 3; i++) {
      client.send(topic, HOSTILE + i, new byte[] {1}).expect(200);
    }
    Fields request = Fields.of("topic", topic).with("visibility_ms", 3_600_000);
    List<Message> held = client.recvAll(request.with("max_messages", 2).with("wait_ms", 5_000), 2);
    try (Tab tab = open(width)) {
      tab.go(place("leases"));
      assertThat(rows(tab, "leases")).hasCount(2);
      assertThat(rows(tab, "leases").first().locator("[data-label=Holder] code"))
          .hasText(Pattern.compile("[0-9a-f]{32}"));
      check(tab, "leases");
      Locator first = tab.field("Select " + held.get(0).msgId());
      first.focus();
      tab.page().keyboard().press("Space");
      tab.button("End selected leases").focus();
      tab.page().keyboard().press("Enter");
      assertThat(inDialog(tab, "End leases")).isDisabled();
      tab.field("Audit note").focus();
      tab.page().keyboard().type("the consumer hangs");
      check(tab, "end-leases");
      inDialog(tab, "End leases").focus();
      tab.page().keyboard().press("Enter");
      assertThat(tab.page().locator("#notices")).containsText("1 lease has ended.");
      rows(tab, "leases").first().locator("[data-label=Holder] a").focus();
      tab.page().keyboard().press("Enter");
      tab.assertAt("#/capabilities");
      assertThat(tab.page().locator("table.capabilities tr.is-open")).isInViewport();
      client.extend(held.get(0), Duration.ofSeconds(5)).expect(410);
      client.extend(held.get(1), Duration.ofSeconds(5)).expect(200);
    }
  }

  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(ints = {WIDE, PHONE})
  void aScheduledMessageIsCancelled(int width) throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    Fields later = Fields.send(topic, HOSTILE, new byte[] {1}).with("delay_ms", 600_000);
    String id = client.send(later.with("attrs", Map.of(HOSTILE, HOSTILE))).expect(200).msgId();
    try (Tab tab = open(width)) {
      tab.go(place("scheduled"));
      assertThat(rows(tab, "scheduled").locator("[data-label=Key]")).hasText(HOSTILE);
      check(tab, "scheduled");
      tab.button("Cancel " + id).click();
      inDialog(tab, "Cancel message").click();
      assertThat(rows(tab, "scheduled")).hasCount(0);
      assertEquals(0, now().path("delayed").asInt());
    }
  }

  @Test
  void aTopicIsCreatedTestedPausedPurgedAndDeleted() throws IOException {
    aTopicIsCreatedTestedPausedPurgedAndDeleted(PHONE);
  }

  @Test
  @Tag("nightly")
  void aTopicIsCreatedTestedPausedPurgedAndDeletedOnAWideScreen() throws IOException {
    aTopicIsCreatedTestedPausedPurgedAndDeleted(WIDE);
  }

  private void aTopicIsCreatedTestedPausedPurgedAndDeleted(int width) throws IOException {
    try (Tab tab = open(width)) {
      tab.go("#/topics");
      tab.button("Create topic").click();
      tab.field("Name").fill(topic);
      check(tab, "create");
      inDialog(tab, "Create topic").click();
      tab.assertAt(place("settings"));

      tab.follow(place("messages"));
      assertThat(tab.page().getByText("No message is ready in this topic.")).isVisible();
      check(tab, "no-messages");
      tab.button("Send test message").click();
      check(tab, "test-message");
      inDialog(tab, "Send test message").click();
      assertThat(tab.page().locator("#notices")).containsText("Sent a test message.");
      Locator message = tab.page().locator(".peeked li");
      message.locator("summary").click();
      assertThat(message).containsText("mailbox.test");
      assertThat(message.locator(".payload-code"))
          .hasText(Pattern.compile("\\{\\s*\"test\": true"));
      check(tab, "messages");
      assertEquals(0, now().path("inflight").asInt());

      tab.button("Pause deliveries").click();
      inDialog(tab, "Pause deliveries").click();
      assertThat(tab.page().locator(".topic-summary")).containsText("paused");

      tab.follow(place("settings"));
      tab.page().locator("[data-action=purge]").click();
      assertThat(tab.dialog()).containsText("1 ready and 0 scheduled messages");
      Locator purge = inDialog(tab, "Purge messages");
      tab.field("Type " + topic + " to confirm").fill(topic + "x");
      assertThat(purge).isDisabled();
      tab.field("Type " + topic + " to confirm").fill(topic);
      check(tab, "purge");
      purge.click();
      assertThat(tab.page().locator("#notices")).containsText("1 message is removed.");
      assertEquals(0, now().path("ready").asInt());

      tab.page().locator("[data-action=delete]").click();
      tab.field("Type " + topic + " to confirm").fill(topic);
      inDialog(tab, "Delete topic").click();
      tab.assertAt("#/topics$");
      client.topic(topic).expect(404);
    }
  }

  /** A message is seen in its shard, and the next consumer gets its first attempt. */
  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(ints = {WIDE, PHONE})
  void messagesAreSeenByKeyboardWithoutALease(int width) throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 2)).expect(201);
    for (int i = 0; i < 30; i++) {
      client.send(topic, HOSTILE + i, HOSTILE.getBytes(StandardCharsets.UTF_8)).expect(200);
    }
    try (Tab tab = open(width)) {
      tab.go(place("messages"));
      Locator messages = tab.page().locator(".peeked li");
      assertThat(messages).hasCount(20);
      assertThat(tab.page().getByText("The first 20 messages")).isVisible();
      tab.field("Shard").focus();
      tab.page().keyboard().press("ArrowDown");
      tab.page().keyboard().press("ArrowDown");
      tab.assertAt(place("messages") + "\\?shard=1$");
      Locator first = messages.first();
      assertThat(first.locator("summary")).isVisible();
      first.locator("summary").focus();
      tab.page().keyboard().press("Enter");
      assertThat(first.locator("dd").filter(new Locator.FilterOptions().setHasText("1 / 1")))
          .isVisible();
      assertThat(first.locator(".payload-code")).hasText(HOSTILE);
      check(tab, "messages-of-a-shard");
    }
    Fields request = Fields.of("topic", topic).with("wait_ms", 5_000);
    assertEquals(1, client.recv(request).expect(200).message().attempt());
  }

  /** A colleague's action shows while the page is open. */
  @Test
  @Tag("nightly")
  void theHeadOfATopicIsLive() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    try (Tab tab = open(WIDE)) {
      tab.go(place("charts"));
      Locator summary = tab.page().locator(".topic-summary");
      assertThat(tab.page().locator(".live-status")).hasText("Live");
      assertThat(summary).containsText("0 ready");
      client.send(topic, "key", new byte[] {1}).expect(200);
      assertThat(summary).containsText("1 ready");
      client.post("/v1/topics/" + topic + "/pause", Fields.NONE).expect(200);
      assertThat(summary).containsText("paused");
      assertThat(tab.button("Resume deliveries")).isVisible();
    }
  }

  @Test
  void creatingChangesNoTopicThatIsThere() throws IOException {
    client.putTopic(topic, Fields.of("max_attempts", 4)).expect(201);
    try (Tab tab = open(WIDE)) {
      tab.go("#/topics");
      tab.button("Create topic").click();
      tab.field("Name").fill(topic);
      inDialog(tab, "Create topic").click();
      assertThat(tab.dialog().getByRole(AriaRole.ALERT)).containsText("E_PRECONDITION");
      assertEquals(4, now().path("max_attempts").asInt());
    }
  }

  @Test
  void viewersSeeWithoutChanging() throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    client.send(topic, "key", new byte[] {1}).expect(200);
    Fields request = Fields.of("topic", topic).with("visibility_ms", 3_600_000);
    client.recv(request.with("wait_ms", 5_000)).expect(200).message();
    try (Tab tab = Tab.open(browser, server).as(Person.viewer(server))) {
      tab.go(place("leases"));
      assertThat(rows(tab, "leases").locator("[data-label=Holder]")).hasText("–");
      assertThat(tab.page().locator("main button:visible")).hasText(new String[] {"Refresh"});
      tab.follow(place("settings"));
      assertThat(tab.field("Shards")).isDisabled();
      assertThat(tab.page().locator("main button:visible")).hasCount(0);
    }
  }
}
