package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** The page of capabilities: list, mint and revoke. */
@BrowserTest
@Tag("nightly")
class CapabilitiesPageIT {
  private final MailboxServer server;
  private final MailboxClient client;
  private final Tab tab;

  CapabilitiesPageIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.tab = Tab.open(browser, server);
  }

  @AfterEach
  void close() {
    tab.close();
  }

  private Locator row(String note) {
    return tab.page()
        .locator("table.capabilities tbody tr")
        .filter(new Locator.FilterOptions().setHasText(note));
  }

  private Locator mint() {
    return tab.page().locator("[data-action=mint]");
  }

  @Test
  void anAdministratorMintsWithTheKeyboardAndSeesTheTokenOnce() throws IOException {
    String topic = TestTopics.fresh("minting");
    client.putTopic(topic, Fields.NONE).expect(201);
    String note = "sender of " + topic;
    tab.as(Person.operator(server)).go("#/capabilities");
    mint().focus();
    tab.page().keyboard().press("Enter");
    assertThat(tab.field("Template")).isFocused();
    assertThat(tab.field("Operations")).hasValue("send");
    tab.page().keyboard().press("Tab");
    tab.page().keyboard().type(topic);
    tab.field("Note").focus();
    tab.page().keyboard().type(note);
    tab.page().keyboard().press("Enter");

    Locator token = tab.dialog().locator("[data-shown=token]");
    assertThat(token).isVisible();
    assertThat(tab.dialog().locator("[data-shown=curl]")).containsText("/v1/send");
    assertThat(tab.dialog().locator("[data-shown=java]")).containsText(topic);
    client.with(token.textContent()).send(topic, "key", new byte[1]).expect(200);
    tab.button("Done").click();
    assertThat(row(note)).containsText("topic = " + topic);
    assertThat(row(note)).containsText("console:admin");
    assertThat(tab.page().locator("[data-shown=token]")).hasCount(0);
  }

  @Test
  void anAdministratorRevokesWithTheMouse() throws IOException {
    String note = "leaver " + TestTopics.fresh("revoked");
    String token = client.mintNamed(note, "ops = peek");
    tab.as(Person.operator(server)).go("#/capabilities");
    row(note).getByRole(AriaRole.BUTTON).click();
    assertThat(tab.dialog()).containsText(note);
    client.with(token).topics().expect(200);
    tab.dialog().locator("[data-action=revoke-now]").click();
    assertThat(tab.page().locator("#notices")).containsText(note + " is revoked");
    assertEquals("revoked", client.with(token).topics().expect(401).reason());
    assertThat(row(note)).containsText("revoked");
    assertThat(row(note).locator("button")).hasCount(0);
  }

  /** By keyboard alone: the box is checked, and the messages are ready again at once. */
  @Test
  void aRevocationReleasesLeases() throws IOException {
    String topic = TestTopics.fresh("released");
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    client.send(topic, "key", new byte[1]).expect(200);
    String note = "consumer of " + topic;
    MailboxClient holder = client.with(client.mintNamed(note, "ops = recv,ack"));
    Fields request = Fields.of("topic", topic).with("visibility_ms", 3_600_000);
    holder.recv(request.with("wait_ms", 5_000)).expect(200).message();
    tab.as(Person.operator(server)).go("#/topics/" + topic + "/leases");
    assertThat(tab.page().locator("table.leases .actor-name")).hasText(note);
    tab.follow("#/capabilities");
    assertThat(row(note).locator("[data-label=Leases]")).hasText("1");
    row(note).getByRole(AriaRole.BUTTON).focus();
    tab.page().keyboard().press("Enter");
    assertThat(tab.field("and release its leases (1)")).isChecked();
    assertThat(tab.dialog().locator("[data-action=revoke-now]")).isFocused();
    tab.page().keyboard().press("Enter");
    assertThat(tab.page().locator("#notices")).containsText("1 lease released");
    Fields again = request.with("wait_ms", 5_000);
    assertEquals(2, client.recv(again).expect(200).message().attempt());
  }

  @Test
  void aViewerSeesNoCapabilities() {
    tab.as(Person.viewer(server)).go("#/overview");
    assertThat(tab.heading("Overview")).isVisible();
    assertThat(tab.link("Capabilities")).isHidden();
    tab.follow("#/capabilities");
    assertThat(tab.page().getByRole(AriaRole.ALERT)).isVisible();
    assertThat(mint()).hasCount(0);
  }

  @Test
  void aRefusedOrderKeepsWhatWasEntered() {
    tab.as(Person.operator(server)).go("#/capabilities");
    mint().click();
    tab.field("Operations").fill("admin");
    tab.field("Note").fill("shop");
    tab.dialog().locator("[data-action=mint-now]").click();
    assertThat(tab.dialog().getByRole(AriaRole.ALERT))
        .containsText("must not name admin or revoke");
    assertThat(tab.field("Note")).hasValue("shop");
  }
}
