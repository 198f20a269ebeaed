package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/** The audit log: filter and export. */
@BrowserTest
@Tag("nightly")
class AuditPageIT {
  private final MailboxClient client;
  private final Tab tab;

  AuditPageIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.client = client;
    this.tab = Tab.open(browser, server).as(Person.operator(server));
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void actionsOnDeadLettersAreListedAndExported() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "audited");
    letters.add(1, "connect timed out");
    Fields job =
        Fields.of("action", "discard").with("filter", Fields.NONE).with("note", "for the audit");
    String id =
        client
            .post("/v1/dlq/" + letters.topic() + "/jobs", job)
            .expect(202)
            .json()
            .path("job_id")
            .asText();

    tab.go("#/audit");
    assertThat(tab.field("Action (* matches any ending)")).hasValue("dlq.*");
    tab.field("Subject").fill(id);
    tab.button("Apply filter").click();
    tab.assertAt("subject=" + id);
    Locator rows = tab.page().locator("table.audit tbody tr");
    // Rows of the previous filter stay until the response arrives.
    Locator started =
        rows.filter(new Locator.FilterOptions().setHasText(id))
            .filter(new Locator.FilterOptions().setHasText("dlq.job.start"));
    assertThat(started).containsText("topic=" + letters.topic());
    assertThat(started).containsText("for the audit");
    assertThat(started.locator(".actor-name")).hasText("operator.cap");

    Download download = tab.page().waitForDownload(() -> tab.button("Export as NDJSON").click());
    assertEquals("audit.ndjson", download.suggestedFilename());
    List<String> lines = Files.readAllLines(download.path());
    assertTrue(lines.stream().anyMatch(line -> line.contains("for the audit")), lines::toString);
    assertTrue(lines.stream().allMatch(line -> line.contains(id)), lines::toString);

    started.getByRole(AriaRole.LINK).click();
    assertThat(tab.page().locator(".job")).hasAttribute("data-job", id);
  }

  /** An operator at the console and a capability, each by its name. */
  @Test
  void peopleAreFoundByTheirNames() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "named");
    String name = "on-call of " + letters.topic();
    String token = client.mintNamed(name);
    letters.as(client.with(token)).add(1, "connect timed out");
    client.with(token).post("/v1/topics/" + letters.topic() + "/pause", Fields.NONE).expect(200);
    tab.go(letters.place());
    tab.button("Resume deliveries").click();
    assertThat(tab.button("Pause deliveries")).isVisible();

    tab.follow("#/audit");
    tab.field("Action (* matches any ending)").fill("topic.*");
    tab.field("Actor").fill(name);
    tab.button("Apply filter").click();
    Locator rows = tab.page().locator("table.audit tbody tr");
    assertThat(rows).hasCount(1);
    assertThat(rows).containsText("topic.pause");
    assertThat(rows.locator(".actor-name")).hasText(name);
    tab.follow("#/audit?action=topic.*&subject=" + letters.topic());
    assertThat(rows.filter(new Locator.FilterOptions().setHasText("topic.resume")))
        .containsText("console:admin");
  }

  @Test
  void theActionFiltersTheLog() throws IOException {
    String topic = ShownLetters.fresh(client, "made").topic();
    tab.go("#/audit?action=topic.put&subject=" + topic);
    assertThat(tab.field("Action (* matches any ending)")).hasValue("topic.put");
    assertThat(tab.page().locator("table.audit tbody tr")).hasCount(1);
    assertThat(tab.page().locator("table.audit tbody")).containsText(topic);
  }
}
