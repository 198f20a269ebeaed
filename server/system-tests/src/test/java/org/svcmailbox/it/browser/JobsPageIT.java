package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.Message;
import org.svcmailbox.it.server.MailboxServer;

/** An operator redrives, discards, and edits and resends dead letters. */
@BrowserTest
class JobsPageIT {
  private static final String SLOW = "connect timed out";
  private static final String TWICE = "ORA-00001: unique constraint violated";
  private static final String NOTE = "Audit note";
  private static final String FIRST = "First letters, then pause (optional)";

  private final MailboxClient client;
  private final ShownLetters letters;
  private final Tab tab;

  JobsPageIT(MailboxServer server, MailboxClient client, Browser browser) throws IOException {
    this.client = client;
    this.letters = ShownLetters.fresh(client, "reprocessed");
    this.tab = Tab.open(browser, server).as(Person.operator(server));
  }

  @AfterEach
  void close() {
    tab.close();
  }

  private Locator inDialog(String button) {
    return tab.dialog().getByRole(AriaRole.BUTTON, new Locator.GetByRoleOptions().setName(button));
  }

  /** Follows the notice's link to the job. */
  private Locator job() {
    tab.link("View job").click();
    tab.assertAt("#/jobs/j[0-9a-f]{16}$");
    return tab.page().locator(".job");
  }

  private static void assertState(Locator job, String state) {
    assertThat(job).hasAttribute("data-state", state);
  }

  @Test
  void allMatchesAreRedrivenAfterADryRunAndAConfirmation() throws IOException {
    letters.add(5, SLOW);
    letters.add(2, TWICE);
    tab.go(letters.place() + "?q=timed");
    tab.button("Select all 5 matching").click();
    assertThat(tab.page().locator(".selected")).hasText("All 5 matching dead letters selected");
    tab.button("Redrive").click();
    assertThat(tab.dialog()).containsText("Dry run: 5 dead letters");
    assertThat(tab.dialog()).containsText("max_attempts: 5");
    assertThat(tab.dialog()).containsText("error text timed");
    Locator begin = inDialog("Redrive 5 dead letters");
    assertThat(begin).isDisabled();
    assertThat(tab.field("Rate limit (per second)")).hasValue("5");
    assertThat(tab.field(FIRST)).hasValue("3");
    tab.field(FIRST).fill("");
    tab.field(NOTE).fill("the database is back");
    assertThat(begin).isDisabled();
    tab.field("Type " + letters.topic() + " to confirm").fill(letters.topic());
    assertThat(begin).isEnabled();
    assertEquals(7, letters.count());

    begin.click();
    Locator job = job();
    assertState(job, "done");
    assertThat(job).containsText("5 of 5 done, 0 failed, 0 already gone");
    assertEquals(2, letters.count());
    assertEquals(5, letters.ready());
    tab.follow(letters.place());
    assertThat(tab.letters()).hasCount(2);
  }

  /** The first step of the runbook: consumers get nothing more while somebody looks. */
  @Test
  void aTopicIsPausedAndResumed() throws IOException {
    letters.add(1, SLOW);
    tab.go(letters.place());
    tab.button("Pause deliveries").click();
    inDialog("Cancel").click();
    assertFalse(client.topic(letters.topic()).json().path("paused").asBoolean());
    tab.button("Pause deliveries").click();
    inDialog("Pause deliveries").click();
    Locator summary = tab.page().locator(".topic-summary");
    assertThat(summary).containsText("paused");
    assertTrue(client.topic(letters.topic()).json().path("paused").asBoolean());
    client.send(letters.topic(), "meanwhile", new byte[1]).expect(200);
    assertEquals(
        List.of(), client.recv(Fields.of("topic", letters.topic())).expect(200).messages());

    tab.button("Resume deliveries").click();
    assertThat(tab.button("Pause deliveries")).isVisible();
    assertThat(summary).not().containsText("paused");
    assertEquals(
        1, client.recvAll(Fields.of("topic", letters.topic()).with("wait_ms", 5_000), 1).size());
    assertThat(tab.page().locator("#notices")).containsText(letters.topic() + " is resumed.");
  }

  @Test
  void aSlowJobIsPausedResumedAndCancelled() throws IOException {
    letters.add(60, SLOW);
    tab.go(letters.place());
    tab.button("Select all 60 matching").click();
    tab.button("Redrive").click();
    tab.field("Rate limit (per second)").fill("1");
    tab.field(FIRST).fill("");
    tab.field(NOTE).fill("a few, slowly");
    tab.field("Type " + letters.topic() + " to confirm").fill(letters.topic());
    inDialog("Redrive 60 dead letters").click();

    Locator job = job();
    assertState(job, "running");
    assertThat(job.getByRole(AriaRole.PROGRESSBAR)).isVisible();
    job.locator("[data-action=pause]").click();
    assertState(job, "paused");
    assertThat(job.locator("[data-action=resume]")).isFocused();
    job.locator("[data-action=resume]").click();
    assertState(job, "running");
    job.locator("[data-action=cancel]").click();
    assertState(job, "cancelled");
    assertThat(job.locator("[data-action]")).hasCount(0);
    long left = letters.count();
    assertTrue(left > 0 && left <= 60, () -> left + " left");
    assertEquals(60, left + letters.ready());
    tab.keep("job");
  }

  /** By keyboard alone, from the list of letters to the faster rest. */
  @Test
  void theFirstLettersAreRedrivenAndThenTheRestFaster() throws IOException {
    letters.add(30, SLOW);
    tab.go(letters.place());
    press(tab.button("Select all 30 matching"), "Enter");
    press(tab.button("Redrive"), "Enter");
    tab.field(NOTE).focus();
    tab.page().keyboard().type("three first");
    tab.field("Type " + letters.topic() + " to confirm").focus();
    tab.page().keyboard().type(letters.topic());
    press(inDialog("Redrive 30 dead letters"), "Enter");

    Locator job = job();
    assertState(job, "paused");
    assertThat(job).containsText("3 of 30 done, 0 failed, 0 already gone, 27 left");
    assertThat(job).containsText("The first letters are done.");
    assertThat(job).containsText("three first");
    assertThat(job.locator(".job-patterns")).hasText(SLOW);
    assertThat(job.locator(".actor-name")).hasText("console:admin");
    assertThat(job).containsText("0 dead again");
    assertEquals(3, letters.ready());
    assertEquals(27, letters.count());

    Message one = client.recv(Fields.of("topic", letters.topic()).with("wait_ms", 5_000)).message();
    client.nack(one, Fields.of("reason", "still").with("dead_letter", true)).expect(200);
    Locator again = job.getByText("1 dead again");
    assertThat(again).isVisible();
    press(again, "Enter");
    tab.assertAt("letters\\?job=j[0-9a-f]{16}$");
    assertThat(tab.letters()).hasCount(1);
    assertThat(tab.letters().first()).hasAttribute("data-id", one.msgId());
    tab.page().goBack();

    press(job.locator("[data-action=resume]"), "Space");
    assertState(job, "running");
    assertThat(job).containsText("left at 5 per second.");
    Locator rate = job.getByLabel("Letters per second");
    rate.focus();
    tab.page().keyboard().press("Control+A");
    tab.page().keyboard().type("1000");
    tab.page().keyboard().press("Enter");
    assertState(job, "done");
    assertThat(job).containsText("30 of 30 done");
    assertThat(job).containsText("1,000 per second");
    assertThat(rate).isHidden();
    assertEquals(29, letters.ready());
    assertEquals(1, letters.count());
  }

  @Test
  void lettersThatDiedAgainAreLookedForInTheTopicTheyWentTo() throws IOException {
    ShownLetters target = ShownLetters.fresh(client, "target");
    letters.add(1, SLOW);
    String job = letters.redrive(target.topic());
    Message moved =
        client.recv(Fields.of("topic", target.topic()).with("wait_ms", 5_000)).message();
    client.nack(moved, Fields.of("reason", "still").with("dead_letter", true)).expect(200);
    tab.go("#/jobs/" + job);
    tab.page().locator(".job").getByText("1 dead again").click();
    tab.assertAt("#/topics/" + target.topic() + "/letters\\?job=" + job + "$");
    assertThat(tab.letters()).hasCount(1);
    assertThat(tab.letters().first()).hasAttribute("data-id", moved.msgId());
  }

  private void press(Locator button, String key) {
    button.focus();
    tab.page().keyboard().press(key);
  }

  @Test
  void expiredLettersAreGivenANewLife() throws IOException {
    letters.expire(2);
    tab.go(letters.place());
    tab.button("Select all 2 matching").click();
    tab.button("Redrive").click();
    assertThat(tab.dialog()).containsText("2 expired: not settled in time.");
    tab.field("New time to live in seconds (optional)").fill("600");
    assertThat(tab.dialog()).not().containsText("not settled in time");
    tab.field(NOTE).fill("the consumer is back soon");
    tab.field("Type " + letters.topic() + " to confirm").fill(letters.topic());
    inDialog("Redrive 2 dead letters").click();
    Locator job = job();
    assertState(job, "done");
    assertThat(job).containsText("10 min");
    assertEquals(2, letters.ready());
  }

  @Test
  void onlyTheSelectionIsDiscarded() throws IOException {
    letters.add(3, SLOW);
    tab.go(letters.place());
    assertThat(tab.letters()).hasCount(3);
    String kept = tab.letters().last().getAttribute("data-id");
    tab.page().getByLabel("Select all on this page").check();
    assertThat(tab.page().locator(".selected")).hasText("3 dead letters selected");
    tab.page().getByLabel("Select " + kept).uncheck();
    assertThat(tab.page().locator(".selected")).hasText("2 dead letters selected");
    tab.button("Discard").click();
    assertThat(tab.dialog()).containsText("Dry run: 2 dead letters");
    assertThat(tab.dialog()).containsText("cannot be recovered");
    tab.field(NOTE).fill("test orders of last week");
    inDialog("Discard 2 dead letters").click();
    assertState(job(), "done");
    assertEquals(1, letters.count());
    assertEquals(0, letters.ready());
    tab.follow(letters.place());
    assertThat(tab.letters()).hasCount(1);
    assertThat(tab.letters().first()).hasAttribute("data-id", kept);
  }

  @Test
  void aCancelledDialogChangesNothing() throws IOException {
    letters.add(1, SLOW);
    tab.go(letters.place());
    tab.letters().first().focus();
    tab.page().keyboard().press("Enter");
    tab.button("Discard").click();
    assertThat(tab.dialog()).containsText("Dry run: 1 dead letter");
    tab.page().keyboard().press("Escape");
    assertThat(tab.dialog()).hasCount(0);
    assertThat(tab.letter().getByText("Discard")).isFocused();
    assertEquals(1, letters.count());
  }

  @Test
  void aDeadLetterIsEditedAndResentAsANewMessage() throws IOException {
    byte[] before = "{\"amount\":\"1O\"}".getBytes(StandardCharsets.UTF_8);
    String id = letters.add("order-1", before, Map.of("colour", "red"), SLOW);
    tab.go(letters.place() + "?letter=" + id);
    tab.button("Edit and resend").click();
    tab.field("Payload").last().fill("{\"amount\":10");
    assertThat(tab.dialog()).containsText("The payload is no longer valid JSON.");
    tab.field("Payload").last().fill("{\"amount\":10}");
    tab.field("Attributes (key=value, one per line)").last().fill("colour=blue\nby=hand=made");
    tab.field(NOTE).fill("the letter O is no zero");
    inDialog("Resend").click();
    assertThat(tab.page().locator("#notices")).containsText("Resent as");
    assertThat(tab.letters()).hasCount(0);
    assertEquals(0, letters.count());

    Fields asking = Fields.of("topic", letters.topic()).with("wait_ms", 5_000);
    Message sent = client.recv(asking).expect(200).message();
    assertEquals(
        "{\"amount\":10}",
        new String(sent.json().path("payload").binaryValue(), StandardCharsets.UTF_8));
    assertEquals("blue", sent.json().path("attrs").path("colour").asText());
    assertEquals("hand=made", sent.json().path("attrs").path("by").asText());
    assertEquals(id, sent.json().path("attrs").path("mailbox.resent_from").asText());
  }

  @Test
  void aRefusalShowsItsCodeAndRetryTime() throws IOException {
    letters.add(1, SLOW);
    tab.page()
        .route(
            "**/v1/dlq/*/jobs",
            route ->
                route.fulfill(
                    new Route.FulfillOptions()
                        .setStatus(429)
                        .setContentType("application/problem+json")
                        .setHeaders(Map.of("Retry-After", "7"))
                        .setBody(
                            "{\"title\":\"Too many\",\"detail\":\"4 jobs are unfinished\","
                                + "\"code\":\"E_SATURATED\",\"status\":429}")));
    tab.go(letters.place());
    tab.button("Select all 1 matching").click();
    tab.button("Discard").click();
    for (String said : new String[] {"Too many", "4 jobs are unfinished", "E_SATURATED", "7 s"}) {
      assertThat(tab.dialog()).containsText(said);
    }
    tab.field(NOTE).fill("why");
    tab.field("Type " + letters.topic() + " to confirm").fill(letters.topic());
    assertThat(tab.dialog().locator("[data-action=start]")).isDisabled();
  }
}
