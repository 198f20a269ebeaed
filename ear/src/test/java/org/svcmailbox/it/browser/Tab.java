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
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.svcmailbox.it.server.MailboxServer;

/**
 * A tab of a browser of its own that looks at the console. It notes what must never happen: scripts
 * that speak, errors of ours, a breach of the page's policy, calls to another server.
 */
final class Tab implements AutoCloseable {
  private static final Path SCREENSHOTS = Path.of("target", "screenshots");

  private static final int HTTP_BAD_REQUEST = 400;

  /** What the browser itself says of an answer that is a problem. */
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
    page.onRequestFailed(request -> failures.add(request.url() + " " + request.failure()));
    page.onResponse(
        response -> {
          if (response.status() >= HTTP_BAD_REQUEST) {
            failures.add(response.status() + " " + response.url());
          }
        });
  }

  /** A wide one, in light colours. */
  static Tab open(Browser browser, MailboxServer server) {
    return open(browser, server, ColorScheme.LIGHT, 1400);
  }

  /** One so wide, for someone who prefers these colours. */
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
   * Goes to a place of the console, as who types its address.
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

  /** Goes on to a place as a link there does: in the console the page stays as it is. */
  Tab follow(String place) {
    page.navigate(console + place);
    return this;
  }

  /** Has somebody signed in who is at no page of the console yet. */
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

  /** Fills in the form of the sign-in. */
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

  /** A field by its whole label. */
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

  /** Prefers these colours from now on. */
  Tab prefer(ColorScheme colors) {
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(colors));
    return this;
  }

  /** Keeps what it looks like. */
  void keep(String name) {
    page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
  }

  /** Closes it; fails if something happened that must not. */
  @Override
  public void close() {
    // What is on its way to a made-up answer is not waited for.
    page.unrouteAll();
    context.close();
    assertEquals(List.of(), breaches);
  }
}
