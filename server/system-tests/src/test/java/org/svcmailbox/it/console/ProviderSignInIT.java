package org.svcmailbox.it.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.console.Browser.Reply;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.concurrent.Deadline;

/** Sign-in with an OpenID Connect provider. */
@Tag("nightly")
class ProviderSignInIT {
  private static final String STATE_COOKIE = "mailbox_signin";

  private static FakeProvider provider;
  private static MailboxServer server;

  @BeforeAll
  static void start() {
    provider = new FakeProvider();
    server =
        MailboxServer.start(
            "oidc",
            Map.of(
                "MAILBOX_CONSOLE_OIDC_PROVIDER",
                provider.issuer().toString(),
                "MAILBOX_CONSOLE_OIDC_CLIENT_ID",
                FakeProvider.CLIENT,
                "MAILBOX_CONSOLE_OIDC_CLIENT_SECRET",
                FakeProvider.SECRET,
                "MAILBOX_CONSOLE_OIDC_VIEWER",
                "viewers",
                "MAILBOX_CONSOLE_OIDC_OPERATOR",
                "operators",
                "MAILBOX_CONSOLE_OIDC_ADMINISTRATOR",
                "administrators"));
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.close();
    }
    provider.close();
  }

  @BeforeEach
  void reset() {
    provider.reset();
  }

  private static Browser browser() {
    return new Browser(server.uri());
  }

  /** Completes the sign-in at the provider; returns the redirect back. */
  private static URI callback(Browser browser) throws IOException {
    Reply reply = browser.get("/console/signin?to=%23/dlq/orders").expect(303);
    return provider.comeBack(URI.create(reply.header("Location")));
  }

  @Test
  void signInReturnsToTheRequestedPlace() throws IOException {
    Browser browser = browser();
    Reply reply = browser.get(callback(browser)).expect(303);
    assertEquals("/console/#/dlq/orders", reply.header("Location"));
    assertFalse(browser.cookies().containsKey(STATE_COOKIE), "the state is deleted");
    JsonNode got = browser.capability().expect(200).json();
    assertEquals("ann", got.path("user").asText());
    assertEquals("operator", got.path("role").asText());
    assertFalse(got.path("password_change").asBoolean(true), "the provider has the password");
    browser.changePassword("any", "twelve characters").expect(409);
  }

  @Test
  void theAuthorizationRequestIsCompleteAndWithoutTheSecret() throws IOException {
    Browser browser = browser();
    Reply reply = browser.get("/console/signin").expect(303);
    String there = reply.header("Location");
    assertTrue(there.startsWith(provider.issuer() + "/authorize?tenant=1&"), there);
    Map<String, String> asked = FakeProvider.fields(URI.create(there).getRawQuery());
    assertEquals("code", asked.get("response_type"));
    assertEquals("S256", asked.get("code_challenge_method"));
    assertEquals("openid profile", asked.get("scope"));
    assertEquals(server.uri() + "/console/signin/callback", asked.get("redirect_uri"));
    assertFalse(there.contains("secret"), there);
    String cookie = reply.cookies().get(0);
    assertTrue(
        cookie.endsWith("; Max-Age=600; Path=/console/signin; HttpOnly; SameSite=Lax"), cookie);
  }

  @Test
  void aGroupMapsToTheViewerRole() throws IOException {
    provider.person = Map.of("groups", List.of("viewers", "others"));
    Browser browser = browser();
    browser.get(callback(browser)).expect(303);
    JsonNode got = browser.capability().expect(200).json();
    assertEquals("subject-1", got.path("user").asText(), "without another name");
    assertEquals("viewer", got.path("role").asText());
  }

  private static final Fields REVOKE = Fields.of("op", "revoke");

  private static Browser administrator(Map<String, Object> claims) throws IOException {
    administrate(claims);
    Browser browser = browser();
    browser.get(callback(browser)).expect(303);
    assertEquals("provider", browser.capability().expect(200).json().path("confirm").asText());
    return browser;
  }

  private static void administrate(Map<String, Object> more) {
    Map<String, Object> claims = new HashMap<>(more);
    claims.put("preferred_username", "ann");
    claims.put("groups", List.of("administrators"));
    provider.person = Map.copyOf(claims);
  }

  private static long secondsAgo(long seconds) {
    return Instant.now().getEpochSecond() - seconds;
  }

  @Test
  void aSignInAtTheProviderCountsFromWhenItWas() throws IOException {
    administrator(Map.of("auth_time", secondsAgo(60))).json("elevate", REVOKE).expect(200);
    for (Map<String, Object> claims :
        List.<Map<String, Object>>of(
            Map.of("auth_time", secondsAgo(601)),
            Map.of("auth_time", secondsAgo(-3_600)),
            Map.of("auth_time", "now"),
            Map.of())) {
      Browser browser = administrator(claims);
      assertEquals(
          "confirm", browser.json("elevate", REVOKE).expect(401).reason(), claims::toString);
      assertEquals("provider", browser.json("confirm", REVOKE).expect(409).reason());
    }
  }

  @Test
  void aConfirmationIsANewSignInAtTheProvider() throws IOException {
    Browser browser = administrator(Map.of());
    String session = String.valueOf(browser.cookies().get("mailbox_console"));
    URI there =
        URI.create(
            browser.get("/console/signin?confirm=1&to=%23/topics").expect(303).header("Location"));
    assertEquals("0", FakeProvider.fields(there.getRawQuery()).get("max_age"));

    // A provider that ignores max_age: the session stays as it is.
    for (Map<String, Object> claims :
        List.<Map<String, Object>>of(Map.of(), Map.of("auth_time", secondsAgo(601)))) {
      administrate(claims);
      Reply refused = browser.get(provider.comeBack(there)).expect(403);
      assertTrue(refused.text().contains("did not ask you to sign in again"), refused::text);
      assertEquals(session, browser.cookies().get("mailbox_console"));
      assertEquals("confirm", browser.json("elevate", REVOKE).expect(401).reason());
      there = URI.create(browser.get("/console/signin?confirm=1").expect(303).header("Location"));
    }

    administrate(Map.of("auth_time", secondsAgo(1)));
    Reply reply = browser.get(provider.comeBack(there)).expect(303);
    assertEquals("/console/", reply.header("Location"));
    browser.json("elevate", REVOKE).expect(200);
    assertNotEquals(session, browser.cookies().get("mailbox_console"));
    browser.cookies().put("mailbox_console", session);
    browser.capability().expect(204);
  }

  @Test
  void anOrdinarySignInSetsNoMaxAge() throws IOException {
    String there = browser().get("/console/signin").expect(303).header("Location");
    assertFalse(there.contains("max_age"), there);
  }

  @Test
  void aUserWithoutARoleIsRefused() throws IOException {
    provider.person = Map.of("preferred_username", "eve", "groups", List.of("operator", "viewer"));
    Browser browser = browser();
    Reply reply = browser.get(callback(browser)).expect(403);
    assertTrue(reply.text().contains("no role of the console"), reply::text);
    browser.capability().expect(204);
  }

  @Test
  void aCallbackInAnotherBrowserIsRefused() throws IOException {
    URI back = callback(browser());
    browser().get(back).expect(403);
    Browser other = browser();
    callback(other);
    other.get(back).expect(403);
    other.capability().expect(204);
  }

  @Test
  void aCodeIsAcceptedOnce() throws IOException {
    Browser browser = browser();
    URI back = callback(browser);
    String state = browser.cookies().get(STATE_COOKIE);
    browser.get(back).expect(303);
    browser.cookies().put(STATE_COOKIE, String.valueOf(state));
    browser.get(back).expect(502);
  }

  private static Arguments bent(String how, Consumer<Map<String, Object>> bend) {
    return Arguments.of(how, bend);
  }

  static Stream<Arguments> tokens() {
    long now = Instant.now().getEpochSecond();
    return Stream.of(
        bent("another issuer", claims -> claims.put("iss", "https://evil.example")),
        bent("for another client", claims -> claims.put("aud", "other")),
        bent("for others too", claims -> claims.put("aud", List.of(FakeProvider.CLIENT, "other"))),
        bent("asked for by another", claims -> claims.put("azp", "other")),
        bent("over", claims -> claims.put("exp", now - 3_600)),
        bent("without an end", claims -> claims.remove("exp")),
        bent("of the future", claims -> claims.put("iat", now + 3_600)),
        bent("of another sign-in", claims -> claims.put("nonce", "other")),
        bent("of no sign-in", claims -> claims.remove("nonce")),
        bent("about nobody", claims -> claims.remove("sub")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("tokens")
  void aTokenWithInvalidClaimsIsRefused(String how, Consumer<Map<String, Object>> bend)
      throws IOException {
    provider.bend = bend;
    Browser browser = browser();
    browser.get(callback(browser)).expect(502);
    browser.capability().expect(204);
  }

  @Test
  void aTokenWithoutTheProvidersSignatureIsRefused() throws IOException {
    provider.forger = FakeProvider.rsa();
    Browser browser = browser();
    browser.get(callback(browser)).expect(502);
    for (String algorithm : List.of("none", "HS256")) {
      provider.algorithm = algorithm;
      browser.get(callback(browser)).expect(502);
    }
    browser.capability().expect(204);
  }

  @Test
  void aRotatedKeyIsAccepted() throws IOException {
    provider.rotate(FakeProvider.rsa(), "second");
    signsInSoon();
    KeyPair ec = FakeProvider.ec();
    provider.rotate(ec, "third");
    provider.algorithm = "ES256";
    signsInSoon();
    provider.rotate(FakeProvider.rsa(), "first-again");
    provider.algorithm = "RS256";
    signsInSoon();
  }

  /** Waits for the new key, since keys are reloaded at most every ten seconds. */
  private static void signsInSoon() {
    Deadline.in(Duration.ofSeconds(40))
        .await(
            () -> {
              Browser browser = browser();
              return browser.get(callback(browser)).status() == 303;
            },
            () -> "the new key is not loaded");
  }

  @Test
  void aRefusalOfTheProviderIsShown() throws IOException {
    Browser browser = browser();
    URI back = callback(browser);
    String state = FakeProvider.fields(back.getRawQuery()).get("state");
    Reply reply =
        browser
            .get(
                "/console/signin/callback?error=access_denied&state=" + Browser.encoded("" + state))
            .expect(403);
    assertTrue(reply.text().contains("rejected the sign-in"), reply::text);
  }

  @Test
  void passwordsAreDisabled() throws IOException {
    browser().signIn("operator", "whatever it is").expect(403);
    assertFalse(Files.exists(server.data().resolve("mailbox/console.password")), "a way in");
  }

  @Test
  void theSecretIsNotLogged() throws IOException {
    Browser browser = browser();
    browser.get(callback(browser)).expect(303);
    String log = Files.readString(server.log());
    assertFalse(log.contains(FakeProvider.SECRET) || log.contains(Browser.encoded("secret of")));
  }
}
