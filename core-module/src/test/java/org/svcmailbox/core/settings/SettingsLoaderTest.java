package org.svcmailbox.core.settings;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.settings.Form.Range;
import org.svcmailbox.core.settings.MailboxSettings.Amnesia;
import org.svcmailbox.core.settings.MailboxSettings.Bounds;
import org.svcmailbox.core.settings.MailboxSettings.Capabilities;
import org.svcmailbox.core.settings.MailboxSettings.Console;
import org.svcmailbox.core.settings.MailboxSettings.Grpc;
import org.svcmailbox.core.settings.MailboxSettings.History;
import org.svcmailbox.core.settings.MailboxSettings.Intake;
import org.svcmailbox.core.settings.MailboxSettings.Oidc;
import org.svcmailbox.core.settings.MailboxSettings.Projection;
import org.svcmailbox.core.settings.MailboxSettings.Rates;
import org.svcmailbox.core.settings.MailboxSettings.Redrive;
import org.svcmailbox.core.settings.MailboxSettings.Request;
import org.svcmailbox.core.settings.MailboxSettings.Retention;
import org.svcmailbox.core.settings.MailboxSettings.Topics;
import org.svcmailbox.core.settings.MailboxSettings.Visibility;

/** How the loader reads keys and values, and what it says about refused ones. */
class SettingsLoaderTest {
  private static final int CORES = 3;
  private static final long HEAP = 16L << 30;
  private static final String SECRET = "c2VjcmV0LWNhbmFyeS1zZWNyZXQtY2FuYXJ5LXNlY3I=";
  private static final String REFUSED = "Refused settings: ";

  private static MailboxSettings load(Map<String, String> given) {
    return load(given, HEAP);
  }

  private static MailboxSettings load(Map<String, String> given, long heap) {
    return SettingsLoader.load(
        key -> Optional.ofNullable(given.get(key)), given.keySet(), CORES, heap);
  }

  private static Set<String> violations(Map<String, String> given) {
    SettingsException refused = assertThrows(SettingsException.class, () -> load(given));
    assertEquals(Problem.E_INTERNAL, refused.problem());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.startsWith(REFUSED), message);
    return Set.copyOf(List.of(message.substring(REFUSED.length()).split("; ", -1)));
  }

  @Test
  void withoutAnyKeyTheDefaultsHold() {
    TopicSettings topics =
        new TopicSettings(
            4,
            10_000,
            Duration.ofSeconds(300),
            5,
            Duration.ofSeconds(5),
            Duration.ofMillis(200),
            Duration.ofSeconds(60),
            new TopicRetention(
                Duration.ofDays(7), 10_000_000, null, 20_000, Duration.ofDays(14), 1_000_000),
            Duration.ofMinutes(5));
    MailboxSettings expected =
        new MailboxSettings(
            CORES,
            new Bounds(
                20_000,
                268_435_456,
                3_200_000,
                10_000,
                1_024,
                OptionalInt.empty(),
                new FairShare(75)),
            new Projection(4_096, 4_194_304),
            new Request(1_048_576, 100, 32, 1_024, 65_536),
            new Intake(
                4_096,
                1_024,
                Duration.ofSeconds(5),
                Duration.ofSeconds(5),
                Duration.ofSeconds(60),
                List.of(),
                Optional.empty()),
            new Retention(Duration.ofDays(90), 8L << 30, Duration.ofDays(365)),
            Duration.ofSeconds(5),
            new Visibility(Duration.ofMillis(250), Duration.ofHours(12)),
            new Topics(true, 10_000, 100),
            new Capabilities(
                Duration.ofSeconds(30), Duration.ofHours(1), Map.of(), 100_000, 100_000),
            new Rates(0, 0, 100_000),
            100,
            new History(Duration.ofDays(7), 200),
            new Console(
                200,
                Duration.ofMinutes(30),
                Duration.ofHours(12),
                Duration.ofMinutes(10),
                Duration.ofMinutes(10),
                Optional.empty(),
                Optional.empty()),
            new Redrive(4, 500),
            Optional.empty(),
            List.of(),
            new Amnesia(false, 268_435_456),
            Optional.empty(),
            Optional.empty(),
            new Grpc(false, 9_555),
            RendezvousSettingsTest.DEFAULTS,
            topics);
    assertEquals(expected, load(Map.of()));
  }

  @Test
  void everyKeySetsItsOwnValueAndNoOther() {
    Map<String, String> given = new LinkedHashMap<>();
    given.put("mailbox.workers", "2");
    given.put("mailbox.ready_shards", "5");
    given.put("mailbox.shard_capacity", "6");
    given.put("mailbox.global_inflight", "7");
    given.put("mailbox.dedup_capacity", "8");
    given.put("mailbox.max_frame", "9");
    given.put("mailbox.max_waiting", "10");
    given.put("mailbox.streams", "43");
    given.put("mailbox.fair_share", "74");
    given.put("mailbox.max_attempts", "11");
    given.put("mailbox.visibility_min", "11s");
    given.put("mailbox.default_visibility", "12s");
    given.put("mailbox.visibility_max", "13s");
    given.put("mailbox.t_replay", "14s");
    given.put("mailbox.backoff_base", "15s");
    given.put("mailbox.backoff_max", "16s");
    given.put("mailbox.retention.ready", "17s");
    given.put("mailbox.retention.dlq", "18s");
    given.put("mailbox.retention.ledger", "19m");
    given.put("mailbox.drain_deadline", "3s");
    given.put("mailbox.topics.auto_create", "false");
    given.put("mailbox.topics.max", "12");
    given.put("mailbox.global_inflight_bytes", "1048577");
    given.put("mailbox.max_batch", "20");
    given.put("mailbox.max_attrs", "21");
    given.put("mailbox.max_attr_value", "22");
    given.put("mailbox.stream_chunk", "1025");
    given.put("mailbox.max_conns", "23");
    given.put("mailbox.max_conns_per_address", "42");
    given.put("mailbox.read_timeout", "24s");
    given.put("mailbox.store.join", "unmarked");
    given.put("mailbox.accept", "broker-older-1, foreign-2,");
    given.put("mailbox.write_timeout", "25s");
    given.put("mailbox.idle_timeout", "41s");
    given.put("mailbox.retention.ledger_bytes", "5000000000");
    given.put("mailbox.retention.audit", "26d");
    given.put("mailbox.cap_cache_ttl", "27s");
    given.put("mailbox.cap_outage_ttl", "42s");
    given.put("mailbox.capability.root_keys", "b=" + SECRET + ",a=" + SECRET);
    given.put("mailbox.capability.max_revoked", "28");
    given.put("mailbox.capability.max_minted", "4");
    given.put("mailbox.rate.address", "29");
    given.put("mailbox.rate.topic", "30");
    given.put("mailbox.rate.buckets", "31");
    given.put("mailbox.trusted_proxies", "10.0.0.0/8,2001:db8::/32");
    given.put("mailbox.retention.ready_count", "32");
    given.put("mailbox.retention.inflight_count", "33");
    given.put("mailbox.retention.dlq_count", "34");
    given.put("mailbox.metrics.topics", "35");
    given.put("mailbox.metrics.from", "192.0.2.0/24");
    given.put("mailbox.amnesia", "true");
    given.put("mailbox.amnesia_max_bytes", "1048578");
    given.put("mailbox.events.max_streams", "36");
    given.put("mailbox.history.keep", "2h");
    given.put("mailbox.history.topics", "45");
    given.put("mailbox.alert_ready_age", "44s");
    given.put("mailbox.console.max_sessions", "37");
    given.put("mailbox.console.session_idle", "38s");
    given.put("mailbox.console.session_max", "39s");
    given.put("mailbox.console.capability_life", "40s");
    given.put("mailbox.console.confirmed_for", "42s");
    given.put("mailbox.console.url", "https://mailbox.example");
    given.put("mailbox.console.oidc.provider", "https://sso.example/realm");
    given.put("mailbox.console.oidc.client_id", "mailbox-41");
    given.put("mailbox.console.oidc.client_secret", "canary");
    given.put("mailbox.console.oidc.scope", "openid groups");
    given.put("mailbox.console.oidc.user_claim", "email");
    given.put("mailbox.console.oidc.role_claim", "realm_access.roles");
    given.put("mailbox.console.oidc.viewer", "looks");
    given.put("mailbox.console.oidc.operator", "acts");
    given.put("mailbox.console.oidc.administrator", "rules");
    given.put("mailbox.dlq.max_jobs", "36");
    given.put("mailbox.dlq.rate", "37");
    given.put("mailbox.disk_reserve", "33554433");
    given.put("mailbox.projection.entries", "129");
    given.put("mailbox.projection.bytes", "1048579");
    given.put("mailbox.grpc.enabled", "true");
    given.put("mailbox.grpc.port", "43");
    given.putAll(RendezvousSettingsTest.GIVEN);
    assertEquals(
        SettingTable.ALL.size(),
        given.size() + BrokerSettingsTest.KEYS.size() + ClusterSettingsTest.KEYS.size(),
        "a key is missing here");

    TopicSettings topics =
        new TopicSettings(
            5,
            6,
            Duration.ofSeconds(14),
            11,
            Duration.ofSeconds(12),
            Duration.ofSeconds(15),
            Duration.ofSeconds(16),
            new TopicRetention(Duration.ofSeconds(17), 32, null, 33, Duration.ofSeconds(18), 34),
            Duration.ofSeconds(44));
    MailboxSettings expected =
        new MailboxSettings(
            2,
            new Bounds(7, 1_048_577, 8, 10, 43, OptionalInt.of(33_554_433), new FairShare(74)),
            new Projection(129, 1_048_579),
            new Request(9, 20, 21, 22, 1_025),
            new Intake(
                23,
                42,
                Duration.ofSeconds(24),
                Duration.ofSeconds(25),
                Duration.ofSeconds(41),
                List.of(range("10.0.0.0/8"), range("2001:db8::/32")),
                Optional.of(List.of(range("192.0.2.0/24")))),
            new Retention(Duration.ofMinutes(19), 5_000_000_000L, Duration.ofDays(26)),
            Duration.ofSeconds(3),
            new Visibility(Duration.ofSeconds(11), Duration.ofSeconds(13)),
            new Topics(false, 12, 35),
            new Capabilities(
                Duration.ofSeconds(27),
                Duration.ofSeconds(42),
                load(given).capabilities().rootKeys(),
                28,
                4),
            new Rates(29, 30, 31),
            36,
            new History(Duration.ofHours(2), 45),
            new Console(
                37,
                Duration.ofSeconds(38),
                Duration.ofSeconds(39),
                Duration.ofSeconds(40),
                Duration.ofSeconds(42),
                Optional.of(URI.create("https://mailbox.example")),
                Optional.of(
                    new Oidc(
                        URI.create("https://sso.example/realm"),
                        "mailbox-41",
                        "canary",
                        "openid groups",
                        "email",
                        "realm_access.roles",
                        "looks",
                        "acts",
                        "rules"))),
            new Redrive(36, 37),
            Optional.of("unmarked"),
            List.of("broker-older-1", "foreign-2"),
            new Amnesia(true, 1_048_578),
            Optional.empty(),
            Optional.empty(),
            new Grpc(true, 43),
            RendezvousSettingsTest.OTHERS,
            topics);
    // A root key equals nothing, not even itself read again.
    MailboxSettings loaded = load(given);
    assertEquals(expected.toString(), loaded.toString());
    assertEquals(expected.console(), loaded.console());
    assertEquals(expected.rendezvous(), loaded.rendezvous());
    assertEquals(
        List.of("b", "a"), List.copyOf(loaded.capabilities().rootKeys().keySet()), "in order");
  }

  @Test
  void inAmnesiaTheLedgerIsKeptForLessUnlessItIsSaid() {
    Map<String, String> amnesia = Map.of("mailbox.amnesia", "true");
    assertEquals(Duration.ofMinutes(10), load(amnesia).retention().ledger());
    assertEquals(Duration.ofHours(1), load(amnesia).history().keep());
    assertEquals(512L << 20, load(amnesia).retention().ledgerBytes());
    Map<String, String> said = new LinkedHashMap<>(amnesia);
    said.put("mailbox.retention.ledger", "2h");
    assertEquals(Duration.ofHours(2), load(said).retention().ledger());
  }

  private static IpRange range(String text) {
    return IpRange.parse(text).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "canary",
        "a=canary",
        "a=Y2FuYXJ5",
        "a b=" + SECRET,
        "a=" + SECRET + ",",
        "a=" + SECRET + ",a=" + SECRET,
        "a=" + SECRET + SECRET + SECRET
      })
  void aRootKeyThatIsRefusedIsNotShown(String given) {
    Set<String> violations = violations(Map.of("mailbox.capability.root_keys", given));
    assertEquals(1, violations.size());
    String said = violations.iterator().next();
    assertTrue(said.startsWith("mailbox.capability.root_keys has "), said);
    assertFalse(said.contains("canary") || said.contains("Y2Fu") || said.contains(SECRET), said);
  }

  @Test
  void whatTheProviderKnowsUsByIsNotShown() {
    String shown =
        load(Map.of(
                "mailbox.console.oidc.provider", "https://sso.example",
                "mailbox.console.oidc.client_id", "mailbox",
                "mailbox.console.oidc.client_secret", "canary"))
            .toString();
    assertTrue(shown.contains("https://sso.example, mailbox, secret"), shown);
    assertFalse(shown.contains("canary"), shown);
  }

  @Test
  void aProviderIsGivenWithWhatItCallsUsAndKnowsUsBy() {
    String said =
        "mailbox.console.oidc.provider, mailbox.console.oidc.client_id and"
            + " mailbox.console.oidc.client_secret are given together";
    assertEquals(
        Set.of(said), violations(Map.of("mailbox.console.oidc.provider", "https://sso.example")));
    assertEquals(Set.of(said), violations(Map.of("mailbox.console.oidc.client_secret", "canary")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mailbox.example",
        "ftp://mailbox.example",
        "https:",
        "https://a b",
        "https://a?b"
      })
  void anAddressForBrowsersIsAUrl(String given) {
    assertEquals(
        Set.of("mailbox.console.url must be a URL that begins with https:// or http://"),
        violations(Map.of("mailbox.console.url", given)));
  }

  @Test
  void rootKeysAreNotShown() {
    String shown = load(Map.of("mailbox.capability.root_keys", "a=" + SECRET)).toString();
    assertTrue(shown.contains("a=RootKey[secret]"), shown);
    assertFalse(shown.contains(SECRET), shown);
  }

  @Test
  void anAddressRangeThatIsNoneIsNamed() {
    assertEquals(
        Set.of("mailbox.trusted_proxies has localhost, which is no address range"),
        violations(Map.of("mailbox.trusted_proxies", "10.0.0.0/8,localhost")));
  }

  @Test
  void allViolationsAreReportedTogetherEachWithItsKey() {
    Map<String, String> given =
        Map.of(
            "mailbox.t_repaly", "5s",
            "mailbox.workers", "many",
            "mailbox.max_attempts", "0",
            "mailbox.t_replay", "soon",
            "mailbox.drain_deadline", "6s",
            "mailbox.topics.auto_create", "yes",
            "mailbox.visibility_min", "6s");
    Set<String> expected =
        Set.of(
            "mailbox.t_repaly is not a setting",
            "mailbox.workers must be a whole number",
            "mailbox.max_attempts must be between 1 and 1000, not 0",
            "mailbox.t_replay must be a duration such as 250ms, 5s, 7d or PT5S",
            "mailbox.drain_deadline must be between 1s and 5s, not 6s",
            "mailbox.topics.auto_create must be true or false",
            "mailbox.visibility_min must not be greater than mailbox.default_visibility");
    assertEquals(expected, violations(given));
  }

  @Test
  void anUnknownKeyIsRefusedAlthoughItsValueWouldDo() {
    assertEquals(
        Set.of("mailbox.retention_ready is not a setting"),
        violations(Map.of("mailbox.retention_ready", "7d")));
  }

  @Test
  void keysThatBelongToOthersAreLeftAlone() {
    assertEquals(load(Map.of()), load(Map.of("mailboxes.t_replay", "soon", "java.home", "/")));
  }

  @ParameterizedTest
  @MethodSource("withBounds")
  void theBoundsThemselvesAreAllowed(Setting<?> setting) {
    for (String bound : List.of(range(setting).least().text(), range(setting).most().text())) {
      assertDoesNotThrow(() -> load(inOrder(setting, bound)));
    }
  }

  /** A setting, with its lower and upper neighbours moved out of the way. */
  private static Map<String, String> inOrder(Setting<?> setting, String value) {
    return switch (setting.key()) {
      case "mailbox.visibility_min", "mailbox.default_visibility", "mailbox.visibility_max" ->
          Map.of(
              "mailbox.visibility_min", value,
              "mailbox.default_visibility", value,
              "mailbox.visibility_max", value);
      case "mailbox.cap_cache_ttl" -> Map.of(setting.key(), value, "mailbox.cap_outage_ttl", "7d");
      case "mailbox.cap_outage_ttl" -> Map.of(setting.key(), value, "mailbox.cap_cache_ttl", "5s");
      case "mailbox.backoff_base" -> Map.of(setting.key(), value, "mailbox.backoff_max", "12h");
      case "mailbox.backoff_max" -> Map.of(setting.key(), value, "mailbox.backoff_base", "1ms");
      case "mailbox.rendezvous.message_ttl" ->
          Map.of(setting.key(), value, "mailbox.rendezvous.idle_mailbox_ttl", "7d");
      case "mailbox.rendezvous.idle_mailbox_ttl" ->
          Map.of(setting.key(), value, "mailbox.rendezvous.message_ttl", "100ms");
      default -> Map.of(setting.key(), value);
    };
  }

  @ParameterizedTest
  @MethodSource("withBounds")
  void whatIsBeyondABoundIsRefusedWithBothBounds(Setting<?> setting) {
    Range<?> range = range(setting);
    String said =
        "%s must be between %s and %s, not "
            .formatted(setting.key(), range.least().text(), range.most().text());
    for (String beyond : List.of(below(range.least().value()), above(range.most().value()))) {
      assertEquals(Set.of(said + beyond), violations(Map.of(setting.key(), beyond)));
    }
  }

  private static Range<?> range(Setting<?> setting) {
    return setting.form().range().orElseThrow();
  }

  private static Stream<Setting<?>> withBounds() {
    return SettingTable.ALL.stream().filter(setting -> setting.form().range().isPresent());
  }

  private static String below(Object least) {
    return least instanceof Duration duration
        ? duration.minusMillis(1).toString()
        : Long.toString(((Number) least).longValue() - 1);
  }

  private static String above(Object most) {
    return most instanceof Duration duration
        ? duration.plusMillis(1).toString()
        : Long.toString(((Number) most).longValue() + 1);
  }

  @Test
  void anOutageEndsNoBeliefBeforeItsTime() {
    assertEquals(
        Set.of("mailbox.cap_cache_ttl must not be greater than mailbox.cap_outage_ttl"),
        violations(Map.of("mailbox.cap_outage_ttl", "29s")));
    assertEquals(
        Duration.ofSeconds(30),
        load(Map.of("mailbox.cap_outage_ttl", "30s")).capabilities().outageTtl());
  }

  @Test
  void shortestDefaultAndLongestVisibilityMustBeInOrder() {
    assertEquals(
        Set.of("mailbox.visibility_min must not be greater than mailbox.default_visibility"),
        violations(Map.of("mailbox.visibility_min", "5001ms")));
    assertEquals(
        Set.of("mailbox.default_visibility must not be greater than mailbox.visibility_max"),
        violations(Map.of("mailbox.visibility_max", "4999ms")));
  }

  @Test
  void theBaseOfTheBackoffMustNotBeOverItsCeiling() {
    assertEquals(
        Set.of("mailbox.backoff_base must not be greater than mailbox.backoff_max"),
        violations(Map.of("mailbox.backoff_base", "60001ms")));
    assertEquals(
        Duration.ofSeconds(60),
        load(Map.of("mailbox.backoff_base", "60s")).defaults().backoffBase());
  }

  @Test
  void aDurationHasAUnit() {
    assertEquals(Duration.ofHours(1), load(Map.of("mailbox.t_replay", "1h")).defaults().tReplay());
    assertEquals(
        Set.of("mailbox.t_replay must be a duration such as 250ms, 5s, 7d or PT5S"),
        violations(Map.of("mailbox.t_replay", "3600")));
  }

  @Test
  void aSizeMayHaveAUnit() {
    assertEquals(
        load(Map.of("mailbox.max_frame", "65536", "mailbox.retention.ledger_bytes", "1073741824")),
        load(Map.of("mailbox.max_frame", "64KB", "mailbox.retention.ledger_bytes", "1GiB")));
    assertEquals(
        Set.of(
            "mailbox.max_frame must be between 1 and 1048576, not 5GB",
            "mailbox.disk_reserve must be a size such as 65536, 512MB or 10GB"),
        violations(Map.of("mailbox.max_frame", "5GB", "mailbox.disk_reserve", "5 GB")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "four", "4.0", "4k", "0x4", "4_000", "9999999999999999999"})
  void aCountIsAWholeNumber(String given) {
    assertEquals(
        Set.of("mailbox.ready_shards must be a whole number"),
        violations(Map.of("mailbox.ready_shards", given)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "TRUE", "yes", "1", "on"})
  void aFlagIsTrueOrFalse(String given) {
    assertEquals(
        Set.of("mailbox.topics.auto_create must be true or false"),
        violations(Map.of("mailbox.topics.auto_create", given)));
  }

  @Test
  void spaceAroundAValueIsNoPartOfIt() {
    MailboxSettings settings =
        load(
            Map.of(
                "mailbox.workers", " 2 ",
                "mailbox.t_replay", " 5s",
                "mailbox.topics.auto_create", "false\n"));
    assertEquals(2, settings.workers());
    assertEquals(Duration.ofSeconds(5), settings.defaults().tReplay());
    assertFalse(settings.topics().autoCreate());
  }
}
