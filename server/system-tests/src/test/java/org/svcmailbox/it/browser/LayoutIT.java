package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;

/** The layout of wide and narrow screens, and forced colours. */
@BrowserTest
@Tag("nightly")
class LayoutIT {
  private static final int WIDE = 1360;
  private static final int PHONE = 390;

  private final MailboxServer server;
  private final MailboxClient client;
  private final Browser browser;
  private final String topic = TestTopics.fresh("layout");

  LayoutIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.browser = browser;
  }

  private Tab open(int width) throws IOException {
    client.putTopic(topic, Fields.of("ready_shards", 1)).expect(201);
    return Tab.open(browser, server, ColorScheme.LIGHT, width).as(Person.operator(server));
  }

  private static BoundingBox box(Locator element) {
    assertThat(element).isVisible();
    return element.boundingBox();
  }

  @ParameterizedTest
  @CsvSource({WIDE + ", 48", PHONE + ", 56"})
  void theHeaderLeavesRoomForThePage(int width, int height) throws IOException {
    try (Tab tab = open(width)) {
      tab.go("#/topics");
      assertEquals(height, box(tab.page().locator(".frame-head")).height);
    }
  }

  /** The charts of a topic are three by two, or one below the other. */
  @ParameterizedTest
  @CsvSource({WIDE + ", 3", PHONE + ", 1"})
  void chartsStandSideBySideWhereThereIsRoom(int width, int columns) throws IOException {
    try (Tab tab = open(width)) {
      tab.go("#/topics/" + topic + "/charts");
      Locator charts = tab.page().locator(".chart");
      assertThat(charts).hasCount(6);
      double top = box(charts.first()).y;
      long first = charts.all().stream().filter(one -> box(one).y == top).count();
      assertEquals(columns, first);
    }
  }

  /** By keyboard alone. */
  @Test
  void aPhoneHasAMenuAndASelectInPlaceOfTheTabs() throws IOException {
    try (Tab tab = open(PHONE)) {
      tab.go("#/topics/" + topic + "/leases");
      assertThat(tab.page().locator(".topic-tabs")).isHidden();
      Locator tabs = tab.field("Tab, opens at once");
      assertThat(tabs).hasValue("leases");
      tabs.focus();
      tab.page().keyboard().press("ArrowDown");
      tab.assertAt("#/topics/" + topic + "/settings");
      assertThat(tab.field("Tab, opens at once")).hasValue("settings");

      Locator menu = tab.button("Menu");
      assertThat(tab.link("Jobs")).isHidden();
      menu.focus();
      tab.page().keyboard().press("Enter");
      assertThat(menu).hasAttribute("aria-expanded", "true");
      Axe.check(tab.page(), "menu");
      tab.page().keyboard().press("Escape");
      assertThat(tab.link("Jobs")).isHidden();
      assertThat(menu).isFocused();
      tab.page().keyboard().press("Enter");
      tab.link("Jobs").focus();
      tab.page().keyboard().press("Enter");
      assertThat(tab.heading("Jobs")).isVisible();
      assertThat(tab.link("Jobs")).isHidden();
    }
  }

  /** The page that is open, chosen groups and lines of charts are told without our colours. */
  @ParameterizedTest
  @ValueSource(ints = {WIDE, PHONE})
  void pagesServeWithForcedColours(int width) throws IOException {
    try (Tab tab = open(width)) {
      tab.page().emulateMedia(new Page.EmulateMediaOptions().setForcedColors(ForcedColors.ACTIVE));
      for (String place :
          new String[] {"#/overview", "#/topics", "#/topics/" + topic + "/charts"}) {
        tab.go(place);
        assertThat(tab.page().locator("h1")).isVisible();
        tab.keep("forced-" + width + place.replaceAll("[^a-z]+", "-"));
        Axe.check(tab.page(), place);
      }
      assertThat(tab.page().locator(".chart-line").first()).isAttached();
      Object paper = tab.page().evaluate("getComputedStyle(document.body).backgroundColor");
      Object line =
          tab.page().evaluate("getComputedStyle(document.querySelector('.chart-line')).stroke");
      assertTrue(!paper.equals(line), () -> line + " on " + paper);
    }
  }
}
