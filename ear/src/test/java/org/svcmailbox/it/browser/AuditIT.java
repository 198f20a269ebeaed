package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.SharedServer;

/** An operator looks up what was done, and takes it along. */
@ExtendWith({SharedServer.class, SharedBrowser.class})
class AuditIT {
  private final MailboxClient client;
  private final Tab tab;

  AuditIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.client = client;
    this.tab = Tab.open(browser, server).signIn(Person.operator(server));
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void whatWasDoneWithDeadLettersIsShownAndExported() throws IOException {
    DeadLetters letters = DeadLetters.fresh(client, "audited");
    letters.add(1, "connect timed out");
    Fields job =
        Fields.of("action", "discard").with("filter", Fields.NONE).with("note", "for the audit");
    client.post("/v1/dlq/" + letters.topic() + "/jobs", job).expect(202);

    tab.go("#/audit");
    tab.field("Done to").fill(letters.topic());
    tab.button("Show").click();
    tab.assertAt("subject=" + letters.topic());
    Locator rows = tab.page().locator("table.audit tbody tr");
    assertThat(rows.first()).containsText("dlq.");
    assertThat(rows.filter(new Locator.FilterOptions().setHasText("for the audit")).first())
        .isVisible();

    Download download = tab.page().waitForDownload(() -> tab.button("Export as NDJSON").click());
    assertEquals("audit.ndjson", download.suggestedFilename());
    List<String> lines = Files.readAllLines(download.path());
    assertTrue(
        lines.stream().anyMatch(line -> line.contains("for the audit")), () -> lines.toString());
    assertTrue(
        lines.stream().allMatch(line -> line.contains(letters.topic())), () -> lines.toString());
  }

  @Test
  void anotherActionIsAskedForByItsName() throws IOException {
    String topic = DeadLetters.fresh(client, "made").topic();
    tab.go("#/audit?action=topic.put&subject=" + topic);
    assertThat(tab.field("Action, or its beginning and *")).hasValue("topic.put");
    assertThat(tab.page().locator("table.audit tbody tr")).hasCount(1);
    assertThat(tab.page().locator("table.audit tbody")).containsText(topic);
  }
}
