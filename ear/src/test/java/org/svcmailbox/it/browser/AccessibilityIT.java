package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/**
 * Every room, in every look: axe-core finds nothing serious, and nothing is cut off. What was
 * looked at is kept in {@code target/screenshots}.
 */
@BrowserTest
class AccessibilityIT {
  /** As narrow as WCAG asks for. */
  private static final int NARROW = 320;

  private final MailboxServer server;
  private final MailboxClient client;
  private final Browser browser;

  AccessibilityIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.browser = browser;
  }

  /** How the console is looked at. */
  enum Look {
    LIGHT(ColorScheme.LIGHT),
    DARK(ColorScheme.DARK);

    private final ColorScheme colors;

    Look(ColorScheme colors) {
      this.colors = colors;
    }
  }

  /** In either look, without a change of anything else. */
  private static void check(Tab tab, String room) {
    for (Look look : Look.values()) {
      check(tab.prefer(look.colors), look, room);
    }
  }

  private static void check(Tab tab, Look look, String room) {
    Locator dark = tab.page().locator("html.pf-theme-dark");
    assertThat(dark).hasCount(look == Look.DARK ? 1 : 0);
    String width = tab.page().viewportSize().width == NARROW ? "narrow-" : "";
    tab.keep(width + look.name().toLowerCase(Locale.ROOT) + "-" + room);
    assertEquals(List.of(), Axe.findings(tab.page()), room);
    Object over = tab.page().evaluate("document.documentElement.scrollWidth - innerWidth");
    assertEquals(true, ((Number) over).intValue() <= 0, () -> room + " is wider by " + over);
  }

  /** Some letters of several causes; the last one's id. */
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

  @ParameterizedTest
  @ValueSource(ints = {1400, NARROW})
  void everyRoomIsForEverybody(int width) throws IOException {
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
      for (Look look : Look.values()) {
        // This page looks at what is preferred only once.
        tab.prefer(look.colors).page().reload();
        assertThat(tab.field("Password")).isVisible();
        check(tab, look, "sign-in");
      }
      Person operator = Person.operator(server);
      tab.fillIn(operator.user(), operator.password());
      tab.field("Filter topics").fill(letters.topic());
      assertThat(tab.page().locator("table.topics tbody tr")).hasCount(1);
      check(tab, "overview");
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
      tab.follow("#/audit?action=*&subject=" + letters.topic());
      assertThat(tab.page().locator("table.audit tbody tr").first()).isVisible();
      check(tab, "audit");
      tab.follow("#/jobs/jffffffffffffffff");
      assertThat(tab.page().getByRole(AriaRole.ALERT)).isVisible();
      check(tab, "problem");
      tab.button("Sign out").click();
      assertThat(tab.heading("Signed out")).isVisible();
      check(tab, "signed-out");
    }
  }

  @Test
  void lightAndDarkAreAClickApartAndRemembered() {
    try (Tab tab = Tab.open(browser, server, ColorScheme.DARK, 1400)) {
      tab.as(Person.operator(server)).go("");
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
  void theKeyboardGetsPastTheHead() {
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
