package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/** The first screen of the dead letters, at the 1360 x 900 of a laptop. */
@BrowserTest
@Tag("nightly")
class FirstScreenIT {
  private static final int WIDTH = 1360;
  private static final int HEIGHT = 900;

  /** More groups than the page lists at first. */
  private static final List<String> ERRORS =
      List.of("connect timed out", "disk full", "no such customer", "bad currency", "stale price");

  private final MailboxServer server;
  private final MailboxClient client;
  private final Tab tab;

  FirstScreenIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.tab = Tab.open(browser, server, ColorScheme.LIGHT, WIDTH);
  }

  @AfterEach
  void close() {
    tab.close();
  }

  private ShownLetters letters() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "first-screen");
    for (String error : ERRORS) {
      letters.add(2, error);
    }
    return letters;
  }

  private static double bottom(Locator element) {
    BoundingBox box = element.boundingBox();
    return box.y + box.height;
  }

  @Test
  void theTableStartsOnTheFirstScreen() throws IOException {
    ShownLetters letters = letters();
    tab.as(Person.operator(server)).go(letters.place());
    assertThat(tab.letters()).hasCount(2 * ERRORS.size());
    assertThat(tab.button("Show all 5 groups")).isVisible();
    double header = bottom(tab.page().locator("table.letters thead"));
    double row = bottom(tab.letters().first());
    assertTrue(header > 0 && header < row && row <= HEIGHT, () -> header + " and " + row);
    tab.keep("first-screen");
  }

  @Test
  void aClickAnywhereOnARowOpensTheDrawer() throws IOException {
    ShownLetters letters = letters();
    tab.as(Person.operator(server)).go(letters.place());
    assertThat(tab.letters()).hasCount(2 * ERRORS.size());
    for (String cell : List.of("died", "reason", "error", "size")) {
      String id = tab.letters().last().getAttribute("data-id");
      tab.letters().last().locator(".column-" + cell).click();
      assertThat(tab.heading(id)).isVisible();
      tab.assertAt("letter=" + id);
      tab.button("Close details").click();
      assertThat(tab.letter()).isHidden();
    }
  }

  @Test
  void aClickBesideACheckboxSelectsTheRowAndOpensNothing() throws IOException {
    ShownLetters letters = letters();
    tab.as(Person.operator(server)).go(letters.place());
    Locator row = tab.letters().first();
    Locator.ClickOptions corner = new Locator.ClickOptions().setPosition(2, 2);
    row.locator(".select-cell").click(corner);
    assertThat(row).hasAttribute("aria-selected", "true");
    assertThat(tab.letter()).isHidden();
  }

  @Test
  void noRequestFailsWhileThePagesLoad() throws IOException {
    ShownLetters letters = letters();
    tab.page().navigate(server.uri().resolve("/console/signin").toString());
    assertThat(tab.field("Password")).isVisible();
    tab.as(Person.operator(server)).go("");
    assertThat(tab.page().locator("table.topics tbody tr").first()).isVisible();
    tab.follow(letters.place());
    assertThat(tab.letters()).hasCount(2 * ERRORS.size());
    tab.letters().first().locator(".column-error").click();
    assertThat(tab.letter().locator(".payload-code")).isVisible();
    tab.follow("#/jobs");
    assertThat(tab.heading("Jobs")).isVisible();
    tab.follow("#/audit?action=*");
    assertThat(tab.page().locator("table.audit tbody tr").first()).isVisible();
    tab.page().evaluate("document.fonts.ready.then(() => null)");
    assertEquals(List.of(), tab.failures());
  }
}
