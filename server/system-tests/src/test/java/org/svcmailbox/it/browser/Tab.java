package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.FormData;
import com.microsoft.playwright.options.RequestOptions;
import com.microsoft.playwright.options.WaitUntilState;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.svcmailbox.it.server.MailboxServer;

/**
 * A tab in a browser context of its own. It records what must never happen: dialogs, script errors,
 * violations of the content security policy, and requests to another origin.
 */
final class Tab implements AutoCloseable {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");

  private static final int HTTP_BAD_REQUEST = 400;
  private static final String ABORTED = "net::ERR_ABORTED";

  /** The browser's own message about an error response. */
  private static final String REFUSED = "Failed to load resource";

  private final URI console;
  private final BrowserContext context;
  private final Page page;
  private final List<String> breaches = new ArrayList<>();
  private final List<String> failures = new ArrayList<>();

  private Tab(Browser browser, MailboxServer server, Browser.NewContextOptions options) {
    this.console = server.uri().resolve("/console/");
    this.context = browser.newContext(options);
    this.page = context.newPage();
    page.onConsoleMessage(this::listen);
    page.onPageError(error -> breaches.add("error " + error));
    page.onDialog(
        dialog -> {
          breaches.add("dialog " + dialog.message());
          dialog.dismiss();
        });
    context.onRequest(request -> checkOrigin(request.url()));
    page.onRequestFailed(
        request -> {
          // The pages themselves abort what they no longer need.
          if (!request.failure().equals(ABORTED)) {
            failures.add(request.failure() + " " + request.url());
          }
        });
    page.onResponse(
        response -> {
          if (response.status() >= HTTP_BAD_REQUEST) {
            failures.add(response.status() + " " + response.url());
          }
        });
  }

  /** Opens a wide tab with the light theme. */
  static Tab open(Browser browser, MailboxServer server) {
    return open(browser, server, ColorScheme.LIGHT, 1400);
  }

  /** Opens a tab of this width and preferred theme. */
  static Tab open(Browser browser, MailboxServer server, ColorScheme colors, int width) {
    return new Tab(
        browser,
        server,
        new Browser.NewContextOptions().setViewportSize(width, 900).setColorScheme(colors));
  }

  private void listen(ConsoleMessage message) {
    if (message.type().equals("error") && !message.text().startsWith(REFUSED)) {
      breaches.add(message.text());
    }
  }

  private void checkOrigin(String url) {
    if (!url.startsWith("blob:") && !url.startsWith(console.resolve("/").toString())) {
      breaches.add("called " + url);
    }
  }

  Page page() {
    return page;
  }

  BrowserContext context() {
    return context;
  }

  /**
   * Loads the console at a place, as when its URL is typed in.
   *
   * @param place such as {@code #/jobs}
   */
  Tab go(String place) {
    if (page.url().startsWith(console.toString())) {
      // A change of the hash alone would not load the page.
      page.navigate("about:blank");
    }
    return follow(place);
  }

  /** Navigates as a link does: within the console only the fragment changes. */
  Tab follow(String place) {
    // The page may be replaced by the sign-in form before it has loaded.
    page.navigate(console + place, new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
    return this;
  }

  Tab reload() {
    page.reload(new Page.ReloadOptions().setWaitUntil(WaitUntilState.COMMIT));
    return this;
  }

  /** Signs in before the first page is loaded. */
  Tab as(Person person) {
    FormData form = FormData.create().set("user", person.user()).set("password", person.password());
    APIResponse answer =
        context
            .request()
            .post(
                console.resolve("signin").toString(),
                RequestOptions.create().setForm(form).setMaxRedirects(0));
    assertEquals(303, answer.status(), answer::text);
    return this;
  }

  /** Fills in the sign-in form, to which the console sends a browser without a session. */
  Tab signIn(Person person) {
    fillIn(person.user(), person.password());
    assertThat(button("Sign out")).isVisible();
    return this;
  }

  /** Submits the sign-in form. */
  void fillIn(String user, String password) {
    field("User name").fill(user);
    field("Password").fill(password);
    button("Sign in").click();
  }

  /** The requests so far that were refused or got no response. */
  List<String> failures() {
    return List.copyOf(failures);
  }

  Locator button(String name) {
    return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
  }

  Locator link(String name) {
    return page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(name));
  }

  Locator heading(String name) {
    return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setName(name));
  }

  /** A field by its exact label. */
  Locator field(String label) {
    return page.getByLabel(label, new Page.GetByLabelOptions().setExact(true));
  }

  Locator dialog() {
    return page.getByRole(AriaRole.DIALOG);
  }

  /** The rows of dead letters. */
  Locator letters() {
    return page.locator("table.letters tbody tr");
  }

  /** The details of the open dead letter. */
  Locator letter() {
    return page.locator("section.drawer");
  }

  void assertAt(String url) {
    assertThat(page).hasURL(Pattern.compile(url));
  }

  /** Opens the menu, which holds navigation and account on a narrow screen. */
  Tab menu() {
    if (button("Menu").isVisible()
        && button("Menu").getAttribute("aria-expanded").equals("false")) {
      button("Menu").click();
    }
    return this;
  }

  /** Emulates a preferred theme. */
  Tab prefer(ColorScheme colors) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colors));
    return this;
  }

  /** Saves a screenshot. */
  void keep(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
  }

  /** Closes the tab; fails if it recorded a breach. */
  @Override
  public void close() {
    // Pending mocked requests must not delay the close.
    page.unrouteAll();
    context.close();
    assertEquals(List.of(), breaches);
  }
}
