package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/**
 * A server that was restarted on eight hours of history, with a peak and half an hour of silence.
 */
@Tag("nightly")
@ExtendWith(SharedBrowser.class)
@Execution(ExecutionMode.SAME_THREAD)
class LastNightIT {
  private static final String TOPIC = "orders";
  private static final int MINUTES = 480;

  /** Minutes before the restart. */
  private static final int PEAK = 300;

  private static final int GAP_BEGIN = 200;
  private static final int GAP_END = 170;

  private static MailboxServer server;
  private static MailboxClient client;
  private static long restarted;

  @BeforeAll
  static void restart() throws Exception {
    server = MailboxServer.start("last-night", Map.of());
    client = new MailboxClient(server.target());
    client.send(TOPIC, "key", new byte[] {1}).expect(200);
    server.terminate();
    restarted = Instant.now().getEpochSecond() / 60;
    addHistory();
    server.restart();
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  private static void addHistory() throws SQLException {
    String url = "jdbc:sqlite:" + server.data().resolve("mailbox/mailbox.db");
    try (Connection connection = DriverManager.getConnection(url);
        PreparedStatement insert =
            connection.prepareStatement(
                "insert or ignore into history_minute (topic_id, minute, node, sent, delivered,"
                    + " redelivered, acked, dead, ready, scheduled, inflight, letters, oldest_ms, refused,"
                    + " left_out, started, written)"
                    + " values (?, ?, 0, ?, ?, 0, ?, 0, ?, 0, 1, 2, ?, ?, ?, ?, ?)")) {
      connection.setAutoCommit(false);
      int topicId = topicId(connection);
      for (int ago = MINUTES; ago > 0; ago--) {
        if (ago > GAP_BEGIN || ago <= GAP_END) {
          add(insert, 0, ago);
          add(insert, topicId, ago);
        }
      }
      connection.commit();
    }
  }

  private static int topicId(Connection connection) throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement("select id from topic where name = ?")) {
      select.setString(1, TOPIC);
      return select.executeQuery().getInt(1);
    }
  }

  private static void add(PreparedStatement insert, int topicId, int ago) throws SQLException {
    boolean isPeak = ago == PEAK;
    boolean isService = topicId == 0;
    int at = 1;
    insert.setInt(at++, topicId);
    insert.setLong(at++, restarted - ago);
    for (int i = 0; i < 3; i++) {
      insert.setInt(at++, isPeak ? 6_000 : 60);
    }
    insert.setInt(at++, isPeak ? 4_000 : 5);
    insert.setInt(at++, isPeak ? 90_000 : 1_000);
    insert.setObject(at++, isService ? 0 : null);
    insert.setObject(at++, isService ? 0 : null);
    insert.setObject(at++, isService ? startOf(ago) : null);
    insert.setObject(at, isService ? MINUTES - ago : null);
    insert.executeUpdate();
  }

  /** Two earlier processes: one until the silence, one since. */
  private static long startOf(int ago) {
    return (restarted - (ago > GAP_BEGIN ? MINUTES : GAP_END)) * 60_000 + 30_000;
  }

  /** As a chart names the beginning of a point. */
  private static String time(int ago) {
    String text = Instant.ofEpochSecond((restarted - ago) * 60).toString();
    return text.substring(0, 16).replace('T', ' ');
  }

  private static Locator chart(Tab tab, String title) {
    return tab.page()
        .locator("figure.chart")
        .filter(
            new Locator.FilterOptions()
                .setHas(
                    tab.page()
                        .locator(
                            "figcaption",
                            new Page.LocatorOptions().setHasText(Pattern.compile("^" + title)))));
  }

  private static void assertDrawn(Locator chart) {
    assertThat(chart.locator(".chart-line-0[d]")).hasAttribute("d", Pattern.compile("^M.+L"));
  }

  private static Locator row(Locator chart, int ago) {
    return chart.locator("tbody tr").filter(new Locator.FilterOptions().setHasText(time(ago)));
  }

  /** Reads a chart's table, the same data as its lines. */
  private static void assertRow(Locator chart, int ago, String expected) {
    assertThat(row(chart, ago)).hasText(Pattern.compile("UTC" + expected + "$"));
  }

  @Test
  void anOperatorSeesThePeakTheSilenceAndTheRestart(Browser browser) {
    awaitMinuteOfThePresentProcess();
    try (Tab tab = Tab.open(browser, server)) {
      tab.as(Person.operator(server)).go("");
      tab.link("6 hours").click();
      tab.assertAt(".*#/overview\\?window=6h$");
      assertThat(tab.link("6 hours")).hasAttribute("aria-current", "true");
      Locator rates = chart(tab, "Rates");
      assertDrawn(rates);
      // A slow restart makes a gap of its own.
      assertTrue(rates.locator("rect.chart-gap").count() >= GAP_BEGIN - GAP_END);
      // The process after the silence, the present one, and perhaps the one before it: two that
      // begin
      // within a minute share its row.
      assertTrue(rates.locator(".chart-start").count() >= 2);

      rates.locator("summary").click();
      assertRow(rates, PEAK, "100 /s100 /s100 /s0 /s");
      assertRow(rates, PEAK + 1, "1 /s1 /s1 /s0 /s");
      assertRow(rates, GAP_BEGIN + 1, "1 /s1 /s1 /s0 /s");
      assertRow(rates, GAP_BEGIN, "\u2013\u2013\u2013\u2013");
      assertRow(rates, GAP_END + 1, "\u2013\u2013\u2013\u2013");
      assertRow(rates, GAP_END, ", the service started1 /s1 /s1 /s0 /s");
      Locator backlog = chart(tab, "Backlog");
      backlog.locator("summary").click();
      assertRow(backlog, PEAK, "4,00001");
      tab.keep("last-night");
    }
  }

  @Test
  void aTopicsChartsAreReadByKeysAndByPointer(Browser browser) {
    try (Tab tab = Tab.open(browser, server)) {
      tab.as(Person.viewer(server)).go("#/topics/" + TOPIC + "/charts?window=6h");
      assertThat(tab.page().locator("figure.chart")).hasCount(6);
      Locator plot = chart(tab, "Oldest ready message").getByRole(AriaRole.SLIDER);
      assertThat(plot).hasAttribute("aria-valuemax", "359");
      assertThat(plot.locator(".chart-tick").first()).hasText("0 s");
      assertThat(plot.locator(".chart-tick").nth(2)).hasText("2 min");
      plot.focus();
      assertThat(plot).hasAttribute("aria-valuenow", "359");
      tab.page().keyboard().press("Home");
      assertThat(plot).hasAttribute("aria-valuenow", "0");
      assertThat(plot).hasAttribute("aria-valuetext", Pattern.compile("UTC, Oldest ready 1 s$"));
      tab.page().keyboard().press("ArrowLeft");
      assertThat(plot).hasAttribute("aria-valuenow", "0");
      tab.page().keyboard().press("PageUp");
      tab.page().keyboard().press("ArrowRight");
      assertThat(plot).hasAttribute("aria-valuenow", "11");
      plot.hover();
      assertThat(plot).hasAttribute("aria-valuenow", Pattern.compile("^1[78]\\d$"));

      tab.link("24 hours").click();
      assertThat(plot).hasAttribute("aria-valuemax", "287");
      tab.link("Dead letters").first().click();
      tab.assertAt(".*/letters$");
      tab.link("Charts").click();
      tab.assertAt(".*/charts$");
      assertEquals(List.of(), tab.failures());
    }
  }

  @Test
  void aPhoneShowsOneChartAtATime(Browser browser) {
    try (Tab tab = Tab.open(browser, server, ColorScheme.DARK, 390)) {
      tab.as(Person.viewer(server)).go("#/overview?window=6h");
      assertThat(chart(tab, "Rates")).isVisible();
      assertThat(chart(tab, "Backlog")).isHidden();
      tab.field("Chart").selectOption("Backlog");
      assertThat(chart(tab, "Backlog")).isVisible();
      assertDrawn(chart(tab, "Backlog"));
      assertThat(chart(tab, "Rates")).isHidden();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {320, 390, 1360})
  void chartsAreAccessibleInBothThemes(int width, Browser browser) {
    try (Tab tab = Tab.open(browser, server, ColorScheme.LIGHT, width)) {
      tab.as(Person.viewer(server));
      for (String place : List.of("#/overview?window=6h", "#/topics/" + TOPIC + "/charts")) {
        tab.go(place);
        Locator rates = chart(tab, "Rates");
        assertDrawn(rates);
        rates.locator("summary").click();
        assertThat(rates.locator("tbody tr").first()).isVisible();
        for (ColorScheme colors : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
          tab.prefer(colors);
          boolean isDark = colors == ColorScheme.DARK;
          assertThat(tab.page().locator("html.pf-theme-dark")).hasCount(isDark ? 1 : 0);
          tab.keep("charts-" + width + "-" + colors + (place.contains("topics") ? "-topic" : ""));
          Axe.check(tab.page(), place);
        }
      }
    }
  }

  @Test
  void aMinuteOfThePresentProcessFollows() {
    awaitMinuteOfThePresentProcess();
  }

  /** An answer ends with a whole minute. */
  private static void awaitMinuteOfThePresentProcess() {
    Deadline.in(Duration.ofMinutes(3))
        .await(() -> lastStart() >= restarted, () -> "no minute since the restart");
  }

  /** The minute of the last start of the last hour that a stored row tells; 0 without one. */
  private static long lastStart() throws IOException {
    String path = "/v1/history?topic=" + TOPIC + "&series=sent";
    JsonNode starts = client.get(path).expect(200).json().path("starts");
    return starts.isEmpty()
        ? 0
        : Instant.parse(starts.path(starts.size() - 1).asText()).getEpochSecond() / 60;
  }
}
