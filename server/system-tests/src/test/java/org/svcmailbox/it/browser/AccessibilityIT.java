package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions.IsVisibleOptions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/**
 * Every page in both themes: axe-core reports no serious violation, and nothing overflows. The
 * screenshots are in {@code target/screenshots}.
 */
@BrowserTest
class AccessibilityIT {
  /** The width at which WCAG 2 requires reflow, in CSS pixels. */
  private static final int NARROW = 320;

  private final MailboxServer server;
  private final MailboxClient client;
  private final Browser browser;

  AccessibilityIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.browser = browser;
  }

  enum Theme {
    LIGHT(ColorScheme.LIGHT),
    DARK(ColorScheme.DARK);

    private final ColorScheme colors;

    Theme(ColorScheme colors) {
      this.colors = colors;
    }
  }

  /** Checks the page in both themes. */
  private static void check(Tab tab, String page) {
    for (Theme theme : Theme.values()) {
      check(tab.prefer(theme.colors), theme, page);
    }
  }

  private static void check(Tab tab, Theme theme, String page) {
    Locator dark = tab.page().locator("html.pf-theme-dark");
    assertThat(dark).hasCount(theme == Theme.DARK ? 1 : 0);
    checkLayout(tab, theme, page);
  }

  private static void checkLayout(Tab tab, Theme theme, String page) {
    String width = tab.page().viewportSize().width == NARROW ? "narrow-" : "";
    tab.keep(width + theme.name().toLowerCase(Locale.ROOT) + "-" + page);
    Axe.check(tab.page(), page);
  }

  /** Adds dead letters of several errors; returns the id of the last. */
  private static String fill(ShownLetters letters) throws IOException {
    letters.add(12, "connect to 10.0.0.7:5432 timed out after 30000 ms");
    letters.add(4, "ORA-00001: unique constraint (SHOP.ORDERS_PK) violated");
    return letters.add(
        "order-4711",
        "{\"order\":4711,\"customer\":null,\"items\":[{\"sku\":\"apple\",\"count\":2}]}"
            .getBytes(StandardCharsets.UTF_8),
        Map.of("content-type", "application/json", "tenant", "north"),
        "java.lang.NullPointerException: order 4711 has no customer");
  }

  @Test
  void everyPageIsAccessibleWhereItMustReflow() throws IOException {
    everyPageIsAccessible(NARROW);
  }

  @Test
  @Tag("nightly")
  void everyPageIsAccessibleOnAWideScreen() throws IOException {
    everyPageIsAccessible(1400);
  }

  private void everyPageIsAccessible(int width) throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "orders");
    String id = fill(letters);
    Fields nothing = Fields.of("q", "nothing");
    client
        .post(
            "/v1/dlq/" + letters.topic() + "/jobs",
            Fields.of("action", "discard").with("filter", nothing).with("note", "there is none"))
        .expect(202);
    try (Tab tab = Tab.open(browser, server, ColorScheme.LIGHT, width)) {
      tab.go("");
      assertThat(tab.field("Password")).isVisible();
      for (Theme theme : Theme.values()) {
        // The sign-in page reads the preferred theme only while loading.
        tab.prefer(theme.colors).page().reload();
        assertThat(tab.field("Password")).isVisible();
        check(tab, theme, "sign-in");
      }
      Person operator = Person.operator(server);
      tab.fillIn(operator.user(), operator.password());
      assertThat(tab.page().locator("table.topics tbody tr").first()).isVisible();
      check(tab, "overview");
      tab.follow("#/topics");
      tab.field("Filter topics").fill(letters.topic());
      assertThat(tab.page().locator("table.topics tbody tr")).hasCount(1);
      check(tab, "topics");
      tab.follow(letters.place());
      assertThat(tab.letters()).hasCount(17);
      check(tab, "letters");
      tab.button("Select all 17 matching").click();
      tab.button("Redrive").click();
      assertThat(tab.dialog()).containsText("Dry run: 17 dead letters");
      check(tab, "redrive");
      tab.go(letters.place() + "?letter=" + id);
      assertThat(tab.letter().locator(".payload-code")).containsText("4711");
      check(tab, "letter");
      tab.button("Edit and resend").click();
      assertThat(tab.dialog()).isVisible();
      check(tab, "resend");
      tab.follow("#/jobs");
      assertThat(tab.page().locator(".job").first()).isVisible();
      check(tab, "jobs");
      tab.follow("#/messages/" + id);
      assertThat(tab.page().locator("[data-now=dead]")).isVisible();
      check(tab, "message");
      tab.follow("#/audit?action=*&subject=" + letters.topic());
      assertThat(tab.page().locator("table.audit tbody tr").first()).isVisible();
      check(tab, "audit");
      tab.follow("#/capabilities");
      assertThat(tab.page().locator("table.capabilities tbody tr").first()).isVisible();
      check(tab, "capabilities");
      tab.page().locator("[data-action=mint]").click();
      assertThat(tab.dialog()).isVisible();
      check(tab, "mint");
      tab.field("Note").fill("axe");
      tab.dialog().locator("[data-action=mint-now]").click();
      assertThat(tab.dialog().locator("[data-shown=token]")).isVisible();
      check(tab, "minted");
      tab.button("Done").click();
      tab.page().locator("[data-action=revoke]").first().click();
      assertThat(tab.dialog()).isVisible();
      check(tab, "revoke");
      tab.follow("#/overview");
      // The server and the page look every ten seconds.
      assertThat(tab.page().locator(".conditions li").first())
          .isVisible(new IsVisibleOptions().setTimeout(60_000));
      check(tab, "conditions");
      tab.follow("#/jobs/jffffffffffffffff");
      assertThat(tab.page().getByRole(AriaRole.ALERT)).isVisible();
      check(tab, "problem");
      tab.menu();
      check(tab, "menu");
      tab.button("Change password").click();
      assertThat(tab.dialog()).isVisible();
      check(tab, "password");
      tab.button("Cancel").click();
      tab.menu().button("Sign out").click();
      assertThat(tab.heading("Signed out")).isVisible();
      check(tab, "signed-out");
      tab.follow("docs/OPERATIONS.html");
      assertThat(tab.page().locator("h1")).hasText("Operations");
      for (Theme theme : Theme.values()) {
        checkLayout(tab.prefer(theme.colors), theme, "document");
      }
    }
  }

  @Test
  void theChosenThemeIsRemembered() {
    try (Tab tab = Tab.open(browser, server, ColorScheme.DARK, 1400)) {
      tab.as(Person.operator(server)).go("#/jobs");
      assertThat(tab.button("Light")).isVisible();
      assertEquals(true, tab.page().evaluate("document.documentElement.matches('.pf-theme-dark')"));
      tab.button("Light").click();
      tab.page().reload();
      assertThat(tab.button("Dark")).isVisible();
      assertEquals(
          false, tab.page().evaluate("document.documentElement.matches('.pf-theme-dark')"));
    }
  }

  @Test
  void theSkipLinkMovesTheFocusToTheContent() {
    try (Tab tab = Tab.open(browser, server)) {
      tab.as(Person.operator(server)).go("#/jobs");
      assertThat(tab.heading("Jobs")).isVisible();
      tab.page().keyboard().press("Tab");
      assertThat(tab.link("Skip to content")).isFocused();
      tab.page().keyboard().press("Enter");
      assertThat(tab.page().locator("main")).isFocused();
    }
  }
}
