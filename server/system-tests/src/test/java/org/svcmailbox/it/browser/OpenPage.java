package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions.ContainsTextOptions;
import java.util.regex.Pattern;
import org.svcmailbox.it.server.MailboxServer;

/** The console's overview in a browser of its own, left open over an outage. One thread. */
public final class OpenPage implements AutoCloseable {
  /** An outage shows this soon after the server has noticed it. */
  private static final double SOON_MILLIS = 10_000;

  private final SharedBrowser.Running running;
  private final Tab tab;

  private OpenPage(SharedBrowser.Running running, MailboxServer server) {
    this.running = running;
    this.tab = Tab.open(running.browser(), server);
  }

  /** Signs in as the operator. */
  public static OpenPage of(MailboxServer server) {
    OpenPage page = new OpenPage(SharedBrowser.Running.start(), server);
    page.tab.as(Person.operator(server)).go("");
    page.assertLive();
    return page;
  }

  private Locator banner() {
    return tab.page().locator(".frame-outage");
  }

  private Locator badge() {
    return tab.page().locator(".live-status");
  }

  /** The banner is empty, and only then are the numbers live. */
  public void assertLive() {
    assertNothingIsRefused();
    assertThat(badge()).hasText("Live");
  }

  public void assertNothingIsRefused() {
    assertThat(banner()).hasCount(0);
  }

  /** The banner says what is refused and why, and the numbers are frozen. */
  public void assertRefused(String... texts) {
    for (String text : texts) {
      assertThat(banner()).containsText(text, new ContainsTextOptions().setTimeout(SOON_MILLIS));
    }
    assertThat(banner())
        .containsText(Pattern.compile("since [0-9- ]*\\d\\d:\\d\\d UTC", Pattern.CASE_INSENSITIVE));
    assertThat(badge()).hasText(Pattern.compile("Frozen since [0-9- ]*\\d\\d:\\d\\d UTC"));
  }

  /** A part is among the conditions, with the way to its runbook. */
  public void assertCondition(String text) {
    Locator condition =
        tab.page().locator(".conditions li").filter(new Locator.FilterOptions().setHasText(text));
    assertThat(condition).hasCount(1);
    assertThat(condition.getByText("Runbook"))
        .hasAttribute("href", "/console/docs/OPERATIONS.html#not-ready");
  }

  @Override
  public void close() {
    try (running) {
      tab.close();
    }
  }
}
