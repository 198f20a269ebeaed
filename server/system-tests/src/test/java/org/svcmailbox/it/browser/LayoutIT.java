package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ForcedColors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
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

  private static final List<String> TOPIC_TABS =
      List.of("charts", "messages", "letters", "scheduled", "leases", "settings");

  private static final Locator.FilterOptions PAUSE =
      new Locator.FilterOptions().setHasText("Pause deliveries");

  /** The texts of shown elements that are wider than their place. */
  private static final String SQUEEZED =
      """
      selector => [...document.querySelectorAll(selector)]
        .filter(one => one.offsetWidth > 0 && one.scrollWidth > one.offsetWidth)
        .map(one => one.textContent)
      """;

  private static final int STOPS = 40;

  /** Links within text may be as low as their line, which axe checks. */
  private static final String FAULT_OF_STOP =
      """
      () => {
        const stop = document.activeElement;
        if (stop === document.body) {
          return '';
        }
        const box = stop.getBoundingClientRect();
        const style = getComputedStyle(stop);
        const top = document.elementFromPoint(
          box.left + box.width / 2, box.top + Math.min(box.height / 2, 20));
        const isSeen = top !== null && (stop.contains(top) || top.contains(stop));
        const isInline = stop.tagName === 'A' && style.display === 'inline';
        const isSmall = !isInline && (box.width < 24 || box.height < 24);
        const name = `${stop.tagName} ${stop.className} ${stop.textContent.slice(0, 40)}`;
        return (isSeen ? '' : `${name} is covered. `)
          + (isSmall ? `${name} is ${box.width} by ${box.height}. ` : '')
          + (style.outlineStyle === 'none' ? `${name} has no outline.` : '');
      }
      """;

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

  /** A name without a break, in the list and in the audit log. */
  @ParameterizedTest
  @ValueSource(ints = {WIDE, PHONE})
  void longNamesLeaveRoomForTheOtherColumns(int width) throws IOException {
    String name = topic + "x".repeat(200);
    client.putTopic(name, Fields.of("ready_shards", 1)).expect(201);
    try (Tab tab = open(width)) {
      tab.go("#/topics?sort=name&q=" + topic);
      assertThat(tab.page().locator("table.topics tbody tr")).hasCount(2);
      Axe.check(tab.page(), "topics");
      assertEquals(List.of(), tab.page().evaluate(SQUEEZED, "table.topics thead th"));
      tab.keep("long-names-" + width);
      tab.go("#/audit?action=*&subject=" + name);
      assertThat(tab.page().locator("table.audit tbody tr")).hasCount(1);
      Axe.check(tab.page(), "audit");
      assertEquals(List.of(), tab.page().evaluate(SQUEEZED, "table.audit .time-stamp"));
      double height = box(tab.page().locator("table.audit .time-stamp")).height;
      assertTrue(height < 30, () -> "a time wraps: " + height);
      tab.keep("long-subjects-" + width);
    }
  }

  /** Content stands right of its label, whatever it consists of. */
  @Test
  void eachCellOfACardIsBesideItsLabel() throws IOException {
    try (Tab tab = open(PHONE)) {
      tab.go("#/audit?action=*&subject=" + topic);
      Locator actor = tab.page().locator("table.audit [data-label=Actor]").first();
      double left = box(actor).x;
      for (Locator part : actor.locator("code, span").all()) {
        assertTrue(box(part).x > left + 100, part::innerText);
      }
    }
  }

  /** The heads of a table that sort and select serve a phone, too. */
  @Test
  void aPhoneSortsTopicsAndSelectsAPageOfLetters() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "layout");
    letters.add(2, "disk full");
    try (Tab tab = open(PHONE)) {
      tab.go("#/topics");
      Locator order = tab.button("Oldest ready");
      assertTrue(box(order).height >= 24);
      order.click();
      tab.assertAt("sort=oldest");
      tab.go(letters.place());
      Locator all = tab.field("Select all on this page");
      assertTrue(box(all).width >= 20);
      all.check();
      assertThat(tab.page().locator(".selected")).hasText("2 dead letters selected");
    }
  }

  /** Each stop of the Tab key is on the screen, uncovered, outlined and at least 24 pixels. */
  @ParameterizedTest
  @CsvSource({WIDE + ", 900", PHONE + ", 844"})
  void eachStopOfTheKeyboardIsSeen(int width, int height) throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "layout");
    letters.add(2, "disk full");
    client.send(letters.topic(), "held", new byte[] {1}).expect(200);
    Fields held = Fields.of("topic", letters.topic()).with("wait_ms", 5_000);
    client.recv(held.with("visibility_ms", 600_000)).expect(200).message();
    List<String> places = new ArrayList<>();
    TOPIC_TABS.forEach(page -> places.add("#/topics/" + letters.topic() + "/" + page));
    places.addAll(List.of("#/overview", "#/topics?q=" + letters.topic(), "#/jobs", "#/messages"));
    places.addAll(List.of("#/capabilities?kind=console", "#/audit?action=*"));
    try (Tab tab = open(width)) {
      tab.page().setViewportSize(width, height);
      for (String place : places) {
        tab.go(place);
        assertThat(tab.page().locator("h1")).isVisible();
        assertThat(tab.page().getByText("Loading …")).hasCount(0);
        for (int i = 0; i < STOPS; i++) {
          tab.page().keyboard().press("Tab");
          assertEquals("", tab.page().evaluate(FAULT_OF_STOP), place);
        }
      }
    }
  }

  /** Wherever the page is scrolled to; the pointer keeps it. */
  @Test
  void aNoticeIsInSightForTenSeconds() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "layout");
    letters.add(12, "disk full");
    try (Tab tab = open(PHONE)) {
      tab.go(letters.place());
      assertThat(tab.letters()).hasCount(12);
      tab.letters().last().scrollIntoViewIfNeeded();
      tab.button("Pause deliveries").evaluate("button => button.click()");
      tab.dialog().getByRole(AriaRole.BUTTON).filter(PAUSE).click();
      Locator notice = tab.page().locator("#notices > *");
      assertThat(notice).isInViewport();
      notice.hover();
      tab.page().waitForTimeout(11_000);
      assertThat(notice).isVisible();
      tab.page().mouse().move(10, 800);
      assertThat(notice).hasCount(0);
    }
  }

  @Test
  void anUnknownPageOrTopicSaysSoOnce() throws IOException {
    try (Tab tab = open(WIDE)) {
      for (String place : new String[] {"#/nonsense", "#/topics/a/nonsense", "#/audit/x"}) {
        tab.go(place);
        assertThat(tab.heading("No such page")).isVisible();
      }
      String none = topic + "-none";
      for (String page : TOPIC_TABS) {
        tab.go("#/topics/" + none + "/" + page);
        assertThat(tab.heading("No topic " + none)).isVisible();
        assertThat(tab.page().locator("main .problem, main button, main input")).hasCount(0);
      }
      tab.go("#/topics/" + topic + "/charts");
      assertThat(tab.page().locator(".chart")).hasCount(6);
      assertThat(tab.link("Topics").first()).hasAttribute("aria-current", "true");
      client.deleteTopic(topic).expect(200);
      assertThat(tab.heading("No topic " + topic)).isVisible();
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
