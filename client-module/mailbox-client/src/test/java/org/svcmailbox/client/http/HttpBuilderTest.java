package org.svcmailbox.client.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.codec.Codecs;

/** Settings with which no mailbox is opened. */
class HttpBuilderTest {
  private static HttpMailbox.Builder<String, String> builder(String service) {
    return HttpMailbox.builder(
        URI.create(service), TokenSource.of("token"), "orders", Codecs.utf8(), Codecs.utf8());
  }

  private static HttpMailbox.Builder<String, String> builder() {
    return builder("https://mailbox.example.com");
  }

  @Test
  void whatItCanDoIsTheTable() {
    try (HttpMailbox<String, String> mailbox = builder().build()) {
      assertEquals(BackendFeatures.HTTP, mailbox.features());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mailbox.example.com",
        "ftp://mailbox.example.com",
        "https:/v1",
        "https://user@mailbox.example.com",
        "https://mailbox.example.com?a=b",
        "https://mailbox.example.com#a"
      })
  void onlyTheUriOfAServiceIsTaken(String service) {
    assertThrows(IllegalArgumentException.class, () -> builder(service));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://127.0.0.1:8080",
        "http://127.3.2.1",
        "http://localhost:8080/",
        "http://[::1]:8080",
        "https://mailbox.example.com/behind/a/proxy/"
      })
  void whatTheNetworkDoesNotSeeMayBePlain(String service) {
    builder(service).build().close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://mailbox.example.com",
        "http://10.0.0.1",
        "http://localhost.example.com",
        "http://127.example.com",
        "http://[2001:db8::1]"
      })
  void plainHttpToAnotherMachineIsRefused(String service) {
    assertThrows(IllegalArgumentException.class, () -> builder(service).build());
    builder(service).allowPlainHttp().build().close();
  }

  @ParameterizedTest
  @CsvSource({"300000, false", "300001, false", "299999, true"})
  void aSendIsRepeatedForLessThanItsKeyIsTaken(long millis, boolean taken) {
    HttpMailbox.Builder<String, String> builder = builder().sendTimeout(Duration.ofMillis(millis));
    if (taken) {
      builder.build().close();
    } else {
      assertThrows(IllegalArgumentException.class, builder::build);
    }
    builder.limits(changed -> changed.keyWindow(Duration.ofHours(1))).build().close();
  }

  @Test
  void valuesOutOfBoundsAreRefused() {
    for (Executable call :
        new Executable[] {
          () -> builder().sendTimeout(Duration.ZERO),
          () -> builder().callTimeout(Duration.ofMillis(-1)),
          () -> builder().linger(Duration.ofMillis(-1)),
          () -> builder().buffer(0, 2 << 20),
          () -> builder().buffer(1, (2 << 20) - 1),
          () -> HttpConnections.builder().max(1),
          () -> HttpConnections.builder().connectTimeout(Duration.ZERO),
          () ->
              HttpMailbox.builder(
                  URI.create("https://mailbox.example.com"),
                  TokenSource.of("token"),
                  "no/name",
                  Codecs.utf8(),
                  Codecs.utf8()),
          () ->
              HttpMailbox.<Object, String>builder(
                      URI.create("https://mailbox.example.com"),
                      TokenSource.of("token"),
                      "orders",
                      Codecs.reference(),
                      Codecs.utf8())
                  .build()
        }) {
      assertThrows(IllegalArgumentException.class, call);
    }
  }
}
