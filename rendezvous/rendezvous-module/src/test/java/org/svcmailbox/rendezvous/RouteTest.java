package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.rendezvous.Route.Mailbox;
import org.svcmailbox.rendezvous.Route.TooLong;
import org.svcmailbox.rendezvous.Route.Unknown;

class RouteTest {
  private static final String RECIPIENT = TestServer.RECIPIENT;

  @Test
  void eitherCaseNamesTheSameMailbox() {
    Mailbox lower = new Mailbox(new RecipientId(RECIPIENT));
    assertEquals(lower, Route.of(TestServer.PATH, ""));
    assertEquals(lower, Route.of("/v1/mailbox/" + RECIPIENT.toUpperCase(Locale.ROOT), ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "/",
        "/v1/mailbox",
        "/v1/mailbox/",
        "/v1/mailbox/0",
        "/healthz",
        "/health/",
        "/metrics/x"
      })
  void anythingElseIsUnknown(String path) {
    assertInstanceOf(Unknown.class, Route.of(path, ""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "/", ";a=b", "%30", "\n", ""})
  void aMalformedRecipientIsUnknown(String suffix) {
    String shortened = RECIPIENT.substring(suffix.isEmpty() ? 1 : 0);
    assertInstanceOf(Unknown.class, Route.of("/v1/mailbox/" + shortened + suffix, ""));
    assertInstanceOf(Unknown.class, Route.of("/v1/mailbox/g" + RECIPIENT.substring(1), ""));
  }

  @Test
  void aUriMayHave1024Bytes() {
    String longest = "x".repeat(1_024 - TestServer.PATH.length() - 1);
    assertInstanceOf(Mailbox.class, Route.of(TestServer.PATH, longest));
    assertInstanceOf(TooLong.class, Route.of(TestServer.PATH, longest + "x"));
    assertInstanceOf(Unknown.class, Route.of("x".repeat(1_024), ""));
    assertInstanceOf(TooLong.class, Route.of("x".repeat(1_025), ""));
  }
}
