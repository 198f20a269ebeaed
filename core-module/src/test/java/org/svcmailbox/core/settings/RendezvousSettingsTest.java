package org.svcmailbox.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.settings.RendezvousSettings.Access;
import org.svcmailbox.core.settings.RendezvousSettings.Auth;
import org.svcmailbox.core.settings.RendezvousSettings.AuthMode;
import org.svcmailbox.core.settings.RendezvousSettings.Http;
import org.svcmailbox.core.settings.RendezvousSettings.Listener;
import org.svcmailbox.core.settings.RendezvousSettings.Mailboxes;
import org.svcmailbox.core.settings.RendezvousSettings.Pem;
import org.svcmailbox.core.settings.RendezvousSettings.Rates;
import org.svcmailbox.core.settings.RendezvousSettings.StaticToken;
import org.svcmailbox.core.settings.RendezvousSettings.Waiting;

/** How {@link SettingsLoader} reads and refuses the rendezvous settings. */
class RendezvousSettingsTest {
  private static final String PREFIX = "mailbox.rendezvous.";
  private static final String RECIPIENT = "AB".repeat(32);
  private static final String TOKEN = "canary-canary-canary";
  private static final long HEAP = 16L << 30;

  static final RendezvousSettings DEFAULTS =
      new RendezvousSettings(
          false,
          new Listener(address("127.0.0.1", 8090), 12_000, Optional.empty(), "1.2"),
          new Auth(AuthMode.SERVER_WIDE, List.of()),
          new Mailboxes(
              65_536, 100, Duration.ofMinutes(5), Duration.ofHours(1), 10_000, 134_217_728),
          new Waiting(10_000, 16, 64),
          new Rates(60, 120, 60, 64),
          new Access(List.of(), List.of()),
          new Http(List.of(), "X-Forwarded-For", List.of(range("127.0.0.0/8"), range("::1/128"))),
          Duration.ofSeconds(10),
          Duration.ofSeconds(5));

  /** Every key with a distinct value. */
  static final Map<String, String> GIVEN =
      Map.ofEntries(
          entry("enabled", "true"),
          entry("listen_addr", "[2001:db8::1]:81"),
          entry("auth_mode", "per_mailbox"),
          entry("auth_tokens", RECIPIENT + "=" + TOKEN + ", " + RECIPIENT + "=" + TOKEN + "2"),
          entry("max_message_size", "82"),
          entry("max_queue_length", "83"),
          entry("message_ttl", "84s"),
          entry("idle_mailbox_ttl", "85s"),
          entry("max_mailboxes", "86"),
          entry("max_bytes", "8700000"),
          entry("max_waiting", "88"),
          entry("max_waiting_per_mailbox", "89"),
          entry("max_waiting_per_address", "90"),
          entry("max_connections", "91"),
          entry("posts_per_minute", "92"),
          entry("gets_per_minute", "93"),
          entry("window_seconds", "94"),
          entry("ipv6_prefix", "95"),
          entry("allow", "10.1.0.0/16"),
          entry("block", "10.2.0.0/16,10.3.0.0/16"),
          entry("origins", "https://App.example,*"),
          entry("forwarded_header", "Forwarded"),
          entry("metrics_from", "none"),
          entry("eviction_interval", "96s"),
          entry("graceful_shutdown_timeout", "7s"),
          entry("tls.cert_path", "/tls/chain.pem"),
          entry("tls.key_path", "/tls/key.pem"),
          entry("tls.min_version", "1.3"));

  static final RendezvousSettings OTHERS =
      new RendezvousSettings(
          true,
          new Listener(
              address("2001:db8::1", 81),
              91,
              Optional.of(new Pem(Path.of("/tls/chain.pem"), Path.of("/tls/key.pem"))),
              "1.3"),
          new Auth(
              AuthMode.PER_MAILBOX,
              List.of(
                  new StaticToken(Optional.of("ab".repeat(32)), TOKEN),
                  new StaticToken(Optional.of("ab".repeat(32)), TOKEN + "2"))),
          new Mailboxes(82, 83, Duration.ofSeconds(84), Duration.ofSeconds(85), 86, 8_700_000),
          new Waiting(88, 89, 90),
          new Rates(92, 93, 94, 95),
          new Access(
              List.of(range("10.1.0.0/16")), List.of(range("10.2.0.0/16"), range("10.3.0.0/16"))),
          new Http(List.of("https://app.example", "*"), "Forwarded", List.of()),
          Duration.ofSeconds(96),
          Duration.ofSeconds(7));

  private static Map.Entry<String, String> entry(String name, String value) {
    return Map.entry(PREFIX + name, value);
  }

  private static IpRange range(String text) {
    return IpRange.parse(text).orElseThrow();
  }

  private static InetSocketAddress address(String host, int port) {
    return new InetSocketAddress(IpRange.address(host).orElseThrow(), port);
  }

  private static RendezvousSettings load(Map<String, String> given, long heap) {
    Map<String, String> keys = new HashMap<>(given);
    keys.remove(RendezvousReader.SERVER_KEYSTORE);
    return SettingsLoader.load(key -> Optional.ofNullable(given.get(key)), keys.keySet(), 2, heap)
        .rendezvous();
  }

  private static RendezvousSettings load(Map<String, String> given) {
    return load(given, HEAP);
  }

  private static String refused(Map<String, String> given) {
    return String.valueOf(assertThrows(SettingsException.class, () -> load(given)).getMessage());
  }

  private static void assertRefused(String name, String value, String why) {
    assertEquals(
        "Refused settings: " + PREFIX + name + " " + why, refused(Map.of(PREFIX + name, value)));
  }

  private static Map<String, String> open(String... others) {
    Map<String, String> given = new HashMap<>();
    given.put(PREFIX + "enabled", "true");
    given.put(PREFIX + "listen_addr", "0.0.0.0:8090");
    for (int i = 0; i < others.length; i += 2) {
      given.put(others[i], others[i + 1]);
    }
    return given;
  }

  @Test
  void tokensOnANetworkWithoutTlsAreRefused() {
    String message = refused(open());
    assertTrue(message.contains(PREFIX + "listen_addr must be a loopback address"), message);
    refused(open(PREFIX + "auth_mode", "per_mailbox"));
  }

  @Test
  void tokensOnANetworkAreAllowedWhereTheyAreNotSentInTheClear() {
    load(open(PREFIX + "tls.cert_path", "c", PREFIX + "tls.key_path", "k"));
    load(open("mailbox.trusted_proxies", "10.0.0.0/8"));
    load(open(RendezvousReader.SERVER_KEYSTORE, "/keys.p12"));
    load(open(PREFIX + "auth_mode", "disabled"));
    load(open(PREFIX + "enabled", "false"));
    load(open(PREFIX + "listen_addr", "[::1]:8090"));
    load(open(PREFIX + "listen_addr", "127.9.9.9:8090"));
  }

  @Test
  void anIdleMailboxOutlivesItsMessages() {
    Map<String, String> equal =
        Map.of(PREFIX + "message_ttl", "2m", PREFIX + "idle_mailbox_ttl", "2m");
    assertEquals(Duration.ofMinutes(2), load(equal).mailboxes().idleTtl());
    assertEquals(
        "Refused settings: mailbox.rendezvous.message_ttl must not be greater than"
            + " mailbox.rendezvous.idle_mailbox_ttl",
        refused(Map.of(PREFIX + "message_ttl", "2m", PREFIX + "idle_mailbox_ttl", "119999ms")));
  }

  @Test
  void memoryIsAQuarterOfTheHeapAtMost() {
    long heap = 40L << 20;
    assertEquals(10L << 20, load(Map.of(), heap).mailboxes().maxBytes(), "by default");
    assertEquals(128L << 20, load(Map.of(), 512L << 20).mailboxes().maxBytes());
    Map<String, String> quarter = Map.of(PREFIX + "max_bytes", Long.toString(heap / 4));
    assertEquals(heap / 4, load(quarter, heap).mailboxes().maxBytes());
    SettingsException refused =
        assertThrows(SettingsException.class, () -> load(quarter, heap - 4));
    assertEquals(
        "Refused settings: mailbox.rendezvous.max_bytes must not be greater than a quarter of the"
            + " heap, 10485759",
        refused.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "8090", "localhost:8090", "127.0.0.1", "127.0.0.1:65536", "::1:8090", "[::1]"})
  void anAddressIsALiteralOneWithAPort(String given) {
    assertRefused("listen_addr", given, "must be address:port, such as 0.0.0.0:8090 or [::]:8090");
  }

  @Test
  void theLastPortIsAPort() {
    Map<String, String> given = Map.of(PREFIX + "listen_addr", "127.0.0.1:65535");
    assertEquals(65_535, load(given).listener().address().getPort());
  }

  @ParameterizedTest
  @CsvSource({
    "auth_mode, on, 'must be disabled, server_wide or per_mailbox'",
    "auth_mode, SERVER_WIDE, 'must be disabled, server_wide or per_mailbox'",
    "tls.min_version, 1.1, must be 1.2 or 1.3",
    "forwarded_header, Via, must be X-Forwarded-For or Forwarded",
    "origins, app.example, 'has app.example, which is no origin'",
    "origins, https://app.example/, 'has https://app.example/, which is no origin'",
    "allow, 10.0.0.1, 'has 10.0.0.1, which is no address range'",
    "enabled, yes, must be true or false"
  })
  void aValueThatIsNoneOfThoseAllowedIsRefused(String name, String given, String why) {
    assertRefused(name, given, why);
  }

  @Test
  void certificateAndKeyAreGivenTogether() {
    String together =
        "Refused settings: mailbox.rendezvous.tls.cert_path and mailbox.rendezvous.tls.key_path are"
            + " given together";
    assertEquals(together, refused(Map.of(PREFIX + "tls.cert_path", "c")));
    assertEquals(together, refused(Map.of(PREFIX + "tls.key_path", "k")));
  }

  @Test
  void aTokenHas16To256Characters() {
    for (int length : List.of(16, 256)) {
      load(Map.of(PREFIX + "auth_tokens", "t".repeat(length)));
    }
    for (String bad : List.of("t".repeat(15), "t".repeat(257), "canary canary canary", "")) {
      String message = refused(Map.of(PREFIX + "auth_tokens", bad));
      assertTrue(message.contains("has an element that is no token"), message);
      assertFalse(message.contains("canary") || message.contains("ttt"), message);
    }
  }

  @Test
  void aTokenIsGivenOnceAndThereAre64AtMost() {
    assertRefused("auth_tokens", TOKEN + "," + TOKEN, "has a token twice");
    StringBuilder tokens = new StringBuilder(TOKEN);
    for (int i = 1; i < RendezvousForms.MAX_TOKENS; i++) {
      tokens.append(',').append(TOKEN).append(i);
    }
    assertEquals(
        64, load(Map.of(PREFIX + "auth_tokens", tokens.toString())).auth().tokens().size());
    assertRefused("auth_tokens", tokens + "," + TOKEN + "x", "must have at most 64 elements");
  }

  @Test
  void aTokenOfNoMailboxIsOfNoUsePerMailbox() {
    assertEquals(
        "Refused settings: mailbox.rendezvous.auth_tokens must be recipient=token with"
            + " mailbox.rendezvous.auth_mode=per_mailbox",
        refused(Map.of(PREFIX + "auth_tokens", TOKEN, PREFIX + "auth_mode", "per_mailbox")));
  }

  @Test
  void aListHas1000RangesAtMost() {
    for (String list : List.of("allow", "block")) {
      String most = String.join(",", Collections.nCopies(1_000, "10.0.0.0/8"));
      load(Map.of(PREFIX + list, most));
      assertRefused(list, most + ",10.0.0.0/8", "must have at most 1000 elements");
    }
  }

  @Test
  void tokensAreNotShown() {
    String shown = load(Map.of(PREFIX + "auth_tokens", RECIPIENT + "=" + TOKEN)).toString();
    assertTrue(shown.contains("StaticToken[secret]"), shown);
    assertFalse(shown.contains(TOKEN), shown);
  }
}
