package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** An operator finds one message, wherever it is. */
@BrowserTest
class FindMessageIT {
  private final MailboxServer server;
  private final MailboxClient client;
  private final Tab tab;

  FindMessageIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.tab = Tab.open(browser, server);
  }

  @AfterEach
  void close() {
    tab.close();
  }

  private void assertNow(String now) {
    assertThat(tab.page().locator("[data-now]")).hasAttribute("data-now", now);
    assertThat(tab.page().locator(".message-incomplete")).hasCount(0);
  }

  private Locator fact(String kind) {
    return tab.page().locator("[data-fact=" + kind + "]");
  }

  /** Looks again, by mouse. */
  private void again(String now) {
    tab.button("Look again").click();
    assertNow(now);
  }

  @Test
  void aMessageIsFoundByItsIdInEachOfItsPlaces() throws IOException {
    String topic = TestTopics.fresh("found");
    Fields sent = Fields.send(topic, "key", new byte[] {1}).with("delay_ms", 3_600_000);
    String later = client.send(sent).expect(200).msgId();
    tab.as(Person.operator(server)).go("");
    tab.link("Find message").click();
    assertThat(tab.field("Message id")).isFocused();
    tab.page().keyboard().type(later);
    tab.page().keyboard().press("Enter");
    tab.assertAt(".*#/messages/" + later + "$");
    assertNow("scheduled");
    assertThat(fact("sent")).containsText("recorded");
    assertThat(fact("ledger")).containsText("recorded");
    assertThat(tab.page().locator("dl.facts")).containsText("Due");

    String id = client.send(Fields.send(topic, "other", new byte[] {1})).expect(200).msgId();
    tab.field("Message id").fill(id);
    tab.button("Find by id").click();
    assertNow("ready");
    Message held =
        client
            .recv(Fields.of("topic", topic).with("wait_ms", 5_000).with("visibility_ms", 60_000))
            .expect(200)
            .message();
    again("leased");
    assertThat(fact("leased").locator(".actor-name")).hasText("operator.cap");
    client.ack(held).expect(200);
    again("gone");
    assertThat(fact("acked")).containsText("recorded");
    assertThat(fact("gone")).containsText("inferred");
  }

  @Test
  void aDeadMessageIsFoundByItsKeyAndLinksToItsLetter() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "found");
    String id = letters.add("order-4711", new byte[] {1}, Map.of(), "no such customer");
    tab.as(Person.viewer(server)).go("#/messages");
    tab.field("Topic").fill(letters.topic());
    tab.field("Idempotency key").fill("order-4711");
    tab.page().keyboard().press("Enter");
    assertThat(tab.page().locator(".matches")).containsText("holds the key, died");
    Locator match = tab.page().locator(".matches a");
    assertThat(match).hasText(id);
    match.click();
    assertNow("dead");
    assertThat(fact("nacked")).containsText("no such customer");
    assertThat(fact("nacked").locator(".history-by")).hasCount(0);
    tab.link("Open").click();
    assertThat(tab.heading(id)).isVisible();
    tab.go("#/messages?topic=" + letters.topic() + "&key=nothing");
    assertThat(tab.page().locator(".message")).containsText("No message has this key");
  }

  @Test
  void aRedrivenMessageLinksToItsLastJob() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "found");
    String id = letters.add("order-4712", new byte[] {1}, Map.of(), "no such customer");
    String job = "";
    for (int i = 0; i < 2; i++) {
      job = letters.redrive(letters.topic());
      Message again =
          client.recv(Fields.of("topic", letters.topic()).with("wait_ms", 5_000)).message();
      client.nack(again, Fields.of("reason", "still").with("dead_letter", true)).expect(200);
    }
    tab.as(Person.viewer(server)).go("#/messages/" + id);
    assertNow("dead");
    assertThat(fact("reprocessed")).hasCount(2);
    tab.link(job).click();
    tab.assertAt("#/jobs/" + job + "$");
  }

  /** Logs write ids as they like. */
  @Test
  void anIdIsFoundInLowerCase() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "found");
    String id = letters.add("lower-case", new byte[] {1}, Map.of(), "disk full");
    tab.as(Person.viewer(server)).go("#/messages");
    tab.field("Message id").fill(" " + id.toLowerCase(Locale.ROOT) + " ");
    tab.button("Find by id").click();
    assertNow("dead");
    assertThat(tab.heading("Message " + id)).isVisible();
  }

  @Test
  void aSearchWithoutAnIdOrAKeyAsksForIt() throws IOException {
    tab.as(Person.viewer(server)).go("#/messages");
    tab.button("Find by id").click();
    assertThat(tab.field("Message id")).isFocused();
    tab.field("Topic").fill(ShownLetters.fresh(client, "found").topic());
    tab.button("Find by key").click();
    assertThat(tab.field("Idempotency key")).isFocused();
    tab.field("or correlation id").fill("nothing");
    tab.button("Find by key").click();
    assertThat(tab.page().getByText("No message has this key now")).isVisible();
  }

  @Test
  void anUnknownIdIsToldAsSuch() {
    tab.as(Person.operator(server)).go("#/messages/01ARZ3NDEKTSV4RRFFQ69G5FAV");
    assertThat(tab.page().locator(".problem")).containsText("no message is");
    tab.follow("#/messages/nonsense");
    assertThat(tab.page().locator(".problem").getByText("is not a ULID")).hasCount(1);
  }
}
