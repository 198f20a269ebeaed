package org.svcmailbox.it.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;

/** Sign-in and sign-out, and what each role may do. */
@BrowserTest
@Tag("nightly")
class SignInPageIT {
  private final MailboxServer server;
  private final MailboxClient client;
  private final Tab tab;

  /** Capabilities that the page has sent. */
  private final List<String> presented = new ArrayList<>();

  SignInPageIT(MailboxServer server, MailboxClient client, Browser browser) {
    this.server = server;
    this.client = client;
    this.tab = Tab.open(browser, server);
    tab.page()
        .onRequest(
            request -> {
              String header = request.headers().getOrDefault("authorization", "");
              if (header.startsWith("Bearer ")) {
                presented.add(header.substring("Bearer ".length()));
              }
            });
  }

  @AfterEach
  void close() {
    tab.close();
  }

  @Test
  void aBrowserWithoutASessionGetsTheSignInForm() {
    tab.go("");
    tab.assertAt("/console/signin\\?to=$");
    assertThat(tab.field("Password")).isVisible();
    assertEquals(List.of(), presented);
  }

  @Test
  void signInReturnsToTheRequestedPlace() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "wanted");
    letters.add(2, "connect timed out");
    tab.go(letters.place() + "?q=timed+out&attr=a%3Db");
    tab.signIn(Person.operator(server));
    tab.assertAt("q=timed\\+out&attr=a%3Db$");
    assertThat(tab.field("Error text")).hasValue("timed out");
    assertThat(tab.page().locator(".frame-user"))
        .hasText(Person.operator(server) + " (administrator)");
  }

  @Test
  void aWrongPasswordIsRefused() {
    tab.go("");
    tab.fillIn(Person.operator(server).user(), "wrong");
    assertThat(tab.page().getByRole(AriaRole.ALERT)).isVisible();
    tab.go("#/jobs");
    assertThat(tab.field("Password")).isVisible();
  }

  @Test
  void signOutEndsTheSession() {
    tab.as(Person.operator(server)).go("");
    tab.button("Sign out").click();
    assertThat(tab.heading("Signed out")).isVisible();
    assertThat(tab.link("Jobs")).isHidden();
    tab.reload();
    assertThat(tab.field("Password")).isVisible();
    tab.go("#/jobs");
    assertThat(tab.field("Password")).isVisible();
  }

  @Test
  void aUserChangesThePasswordAndStaysSignedIn() {
    Person before = Person.viewer(server, "petra");
    Person after = new Person(before.user(), "a much better one");
    tab.as(before).go("#/jobs");
    tab.button("Change password").click();
    assertThat(tab.field("Current password")).hasAttribute("autocomplete", "current-password");
    assertThat(tab.field("New password")).hasAttribute("autocomplete", "new-password");
    assertThat(tab.field("New password again")).hasAttribute("autocomplete", "new-password");

    change("wrong", after.password(), after.password());
    assertThat(tab.dialog().getByRole(AriaRole.ALERT)).containsText("current password is wrong");
    change(before.password(), after.password(), "a much better two");
    assertThat(tab.dialog().locator("input[name=again]:invalid")).hasCount(1);
    change(before.password(), "elevenchars", "elevenchars");
    assertThat(tab.dialog().locator("input[name=next]:invalid")).hasCount(1);

    change(before.password(), after.password(), after.password());
    assertThat(tab.dialog()).hasCount(0);
    assertThat(tab.page().locator("#notices")).containsText("Your password is changed");
    tab.follow("#/overview");
    assertThat(tab.heading("Overview")).isVisible();
    tab.button("Sign out").click();
    tab.link("Sign in").click();
    tab.fillIn(before.user(), before.password());
    assertThat(tab.page().getByRole(AriaRole.ALERT)).isVisible();
    tab.signIn(after);
  }

  /** The server says that little is left; the keys keep the session, by the button or by Escape. */
  @ParameterizedTest
  @ValueSource(strings = {"Enter", "Escape"})
  void aSessionThatIsAboutToEndWarnsAndIsKept(String key) {
    AtomicInteger left = new AtomicInteger(4);
    AtomicInteger kept = new AtomicInteger();
    tab.page()
        .route(
            "**/console/session/capability",
            route -> {
              if ("1".equals(route.request().headers().get("mailbox-console"))) {
                kept.incrementAndGet();
              }
              answer(route, left.get());
            });
    tab.as(Person.operator(server)).go("#/jobs");
    assertThat(tab.heading("Jobs")).isVisible();
    assertThat(tab.dialog()).hasCount(0);
    left.set(2);
    assertThat(tab.dialog()).containsText("Your session is about to end");
    assertThat(tab.button("Stay signed in")).isFocused();
    Axe.check(tab.page(), "session warning");
    int before = kept.get();
    left.set(3_600);
    tab.page().keyboard().press(key);
    assertThat(tab.dialog()).hasCount(0);
    tab.page().waitForCondition(() -> kept.get() == before + 1);
    assertThat(tab.heading("Jobs")).isVisible();
    assertThat(tab.page().locator("#notices .pf-c-alert")).hasCount(0);
  }

  /** The page asks again when the session should end, with a dialog open. */
  @Test
  void aDialogGoesWithTheSessionItBelongsTo() {
    AtomicBoolean isOver = new AtomicBoolean();
    tab.page()
        .route(
            "**/console/session/capability",
            route -> {
              if (isOver.get()) {
                route.fulfill(new Route.FulfillOptions().setStatus(401));
              } else {
                answer(route, 6);
              }
            });
    tab.as(Person.operator(server)).go("#/jobs");
    tab.button("Change password").click();
    assertThat(tab.field("Current password")).isVisible();
    isOver.set(true);
    assertThat(tab.heading("Signed out"))
        .isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(20_000));
    assertThat(tab.dialog()).hasCount(0);
    // The server still has the session, so a real click would lead back.
    tab.link("Sign in").click(new Locator.ClickOptions().setTrial(true));
  }

  /** Answers as the server does, but for how long the session lasts. */
  private static void answer(Route route, int seconds) {
    APIResponse answer = route.fetch();
    String said = "\"session_ends_in_s\":" + seconds;
    String body = answer.text().replaceFirst("\"session_ends_in_s\":\\d+", said);
    route.fulfill(new Route.FulfillOptions().setResponse(answer).setBody(body));
  }

  private void change(String current, String next, String again) {
    tab.field("Current password").fill(current);
    tab.field("New password").fill(next);
    tab.field("New password again").fill(again);
    tab.dialog().locator("button[type=submit]").click();
  }

  /** The page may show its heading before its first request is reported. */
  private void awaitCapability() {
    tab.page().waitForCondition(() -> !presented.isEmpty());
  }

  @Test
  void theCapabilityIsInMemoryOnly() {
    tab.go("#/jobs").signIn(Person.operator(server));
    assertThat(tab.heading("Jobs")).isVisible();
    awaitCapability();
    String kept =
        (String)
            tab.page()
                .evaluate(
                    "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie,"
                        + " location.href, history.state, document.documentElement.outerHTML])");
    List<Cookie> cookies = tab.context().cookies();
    assertTrue(cookies.stream().allMatch(cookie -> cookie.httpOnly), () -> cookies.toString());
    for (String token : presented) {
      assertFalse(kept.contains(token));
      assertTrue(cookies.stream().noneMatch(cookie -> cookie.value.contains(token)));
    }
  }

  @Test
  void aViewerHasNoActions() throws IOException {
    ShownLetters letters = ShownLetters.fresh(client, "viewed");
    letters.add(1, "connect timed out");
    tab.as(Person.viewer(server)).go(letters.place());
    assertThat(tab.letters()).hasCount(1);
    assertThat(tab.page().locator(".selected")).hasText("1 matching");
    tab.letters().first().focus();
    tab.page().keyboard().press("Space");
    tab.page().keyboard().press("Enter");
    assertThat(tab.button("Download payload")).isVisible();
    for (String action : List.of("Redrive", "Discard", "Edit and resend", "Select all")) {
      assertThat(tab.button(action)).hasCount(0);
    }
    assertThat(tab.page().locator("input[type=checkbox]")).hasCount(0);
    assertThat(tab.link("Audit log")).isHidden();

    // The server enforces what the page hides.
    MailboxClient viewer = client.with(presented.get(presented.size() - 1));
    String topic = letters.topic();
    Fields job = Fields.of("action", "discard").with("filter", Fields.NONE).with("note", "no");
    assertEquals("operation", viewer.post("/v1/dlq/" + topic + "/jobs", job).expect(403).reason());
    String id = tab.letters().first().getAttribute("data-id");
    viewer.post("/v1/dlq/" + topic + "/" + id + "/resend", Fields.of("note", "no")).expect(403);
    viewer.get("/v1/audit").expect(403);
    viewer.send(topic, "key", new byte[0]).expect(403);
    viewer.recv(topic).expect(403);
    viewer.deleteTopic(topic).expect(403);
    viewer.get("/v1/dlq/" + topic).expect(200);
    assertEquals(1, letters.count());
  }

  @Test
  void anOperatorsCapabilityIsLimitedToTheConsolesNeeds() throws IOException {
    tab.as(Person.operator(server)).go("#/jobs");
    assertThat(tab.heading("Jobs")).isVisible();
    awaitCapability();
    MailboxClient operator = client.with(presented.get(presented.size() - 1));
    String topic = ShownLetters.fresh(client, "narrow").topic();
    operator.send(topic, "key", new byte[0]).expect(403);
    operator.deleteTopic(topic).expect(403);
    operator.post("/v1/capabilities/rotate", Fields.NONE).expect(403);
    operator.get("/v1/audit").expect(200);
    assertNotEquals(server.target().token().get(), presented.get(0));
  }
}
