package org.svcmailbox.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.core.settings.BrokerSettings.Secret;
import org.svcmailbox.core.settings.BrokerSettings.Store;

/** How {@link SettingsLoader} reads and refuses the settings of a broker in another process. */
class BrokerSettingsTest {
  private static final String PREFIX = "mailbox.broker.";

  /** All keys; no single start has them all. */
  static final List<String> KEYS =
      SettingTable.ALL.stream().map(Setting::key).filter(key -> key.startsWith(PREFIX)).toList();

  private static final String PAIR = "(tcp://a:61617,tcp://[2001:db8::1]:65535)";
  private static final Map<String, String> PLAIN =
      Map.of("url", "tcp://a:61617", "user", "u", "password", "canary");

  private static MailboxSettings load(Map<String, String> given) {
    Map<String, String> all = new HashMap<>();
    given.forEach((key, value) -> all.put(key.startsWith("mailbox.") ? key : PREFIX + key, value));
    return SettingsLoader.load(
        key -> Optional.ofNullable(all.get(key)), all.keySet(), 1, Long.MAX_VALUE);
  }

  private static List<String> refused(Map<String, String> given) {
    return assertThrows(SettingsException.class, () -> load(given)).violations();
  }

  private static Map<String, String> plain(String key, String value) {
    Map<String, String> given = new HashMap<>(PLAIN);
    given.put(key, value);
    return given;
  }

  private static Optional<Secret> given(String text) {
    return Optional.of(new Secret(Optional.of(text), Optional.empty()));
  }

  private static Optional<Secret> in(String file) {
    return Optional.of(new Secret(Optional.empty(), Optional.of(Path.of(file))));
  }

  @Test
  void withoutAnyTheBrokerIsTheServers() {
    assertEquals(Optional.empty(), load(Map.of()).broker());
  }

  @Test
  void everyKeySetsItsOwnValue() {
    assertEquals(9, KEYS.size());
    String url = PAIR + "?sslEnabled=true&ha=true&callTimeout=100&connectionTTL=99999";
    BrokerSettings inLine =
        load(Map.of(
                "url", url,
                "user", "u",
                "password", "canary-1",
                "trust_store", "/t.p12",
                "trust_store_password", "canary-2",
                "key_store", "/k.pem",
                "key_store_password", "canary-3"))
            .broker()
            .orElseThrow();
    assertEquals(
        new BrokerSettings(
            url,
            Optional.of("u"),
            given("canary-1"),
            Optional.of(new Store(Path.of("/t.p12"), given("canary-2"))),
            Optional.of(new Store(Path.of("/k.pem"), given("canary-3")))),
        inLine);
    assertFalse(inLine.toString().contains("canary"), inLine.toString());
    BrokerSettings inFiles =
        load(Map.of(
                "url", url,
                "user", "u",
                "password_file", "/p",
                "key_store", "/k.p12",
                "key_store_password_file", "/q"))
            .broker()
            .orElseThrow();
    assertEquals(
        new BrokerSettings(
            url,
            Optional.of("u"),
            in("/p"),
            Optional.empty(),
            Optional.of(new Store(Path.of("/k.p12"), in("/q")))),
        inFiles);
  }

  @Test
  void aCertificateAloneNamesTheService() {
    BrokerSettings broker =
        load(Map.of("url", PAIR + "?sslEnabled=true", "key_store", "/k.pem"))
            .broker()
            .orElseThrow();
    assertEquals(Optional.empty(), broker.user());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a:61617",
        "tcp://a",
        "tcp://a:0",
        "tcp://a:65536",
        "tcp://a:61617,tcp://b:61617",
        "(tcp://a:61617,tcp://b)",
        "ssl://a:61617",
        "tcp://canary@a:61617",
        "tcp://a:61617#tcp://b:61617",
        "(tcp://a:61617?ha=true,tcp://b:61617)"
      })
  void anotherFormIsRefused(String url) {
    assertEquals(
        List.of(
            "mailbox.broker.url must be tcp://host:port or (tcp://host:port,tcp://host:port), then"
                + " ?option=value&option=value"),
        refused(plain("url", url)));
  }

  @Test
  void anOptionThatTheClientWouldIgnoreIsRefused() {
    assertEquals(
        List.of(
            "mailbox.broker.url has the option sslEnable, which is none of callTimeout,"
                + " clientFailureCheckPeriod, connect-timeout-millis, connectionTTL,"
                + " enabledCipherSuites, enabledProtocols, ha, sniHost, sslEnabled, verifyHost"),
        refused(plain("url", "tcp://a:61617?sslEnable=true")));
  }

  @ParameterizedTest
  @CsvSource({
    "sslEnabled=yes, sslEnabled",
    "ha, ha",
    "callTimeout=99, callTimeout",
    "callTimeout=100000, callTimeout",
    "ha=true&ha=false, ha"
  })
  void aWrongValueOfAnOptionIsRefused(String options, String named) {
    assertEquals(
        List.of("mailbox.broker.url has a wrong or repeated value of " + named),
        refused(plain("url", "tcp://a:61617?" + options)));
  }

  @Test
  void eightBrokersAreTheMost() {
    String eight = String.join(",", Collections.nCopies(8, "tcp://a:61617"));
    assertEquals("(" + eight + ")", load(plain("url", "(" + eight + ")")).broker().get().url());
    assertEquals(
        List.of("mailbox.broker.url has more than 8 brokers"),
        refused(plain("url", "(" + eight + ",tcp://a:61617)")));
  }

  @Test
  void theOthersNeedTheUrl() {
    assertEquals(
        List.of("mailbox.broker.password needs mailbox.broker.url"),
        refused(Map.of("password", "canary")));
  }

  @Test
  void aUserHasOnePassword() {
    String together =
        "mailbox.broker.user and mailbox.broker.password or mailbox.broker.password_file are given"
            + " together";
    assertEquals(List.of(together), refused(Map.of("url", "tcp://a:61617", "user", "u")));
    assertEquals(
        List.of("mailbox.broker.password and mailbox.broker.password_file exclude each other"),
        refused(plain("password_file", "/p")));
    assertEquals(
        List.of("mailbox.broker.url needs mailbox.broker.user or mailbox.broker.key_store"),
        refused(Map.of("url", "tcp://a:61617")));
  }

  @Test
  void storesNeedTlsAndAKnownForm() {
    String needsTls =
        "mailbox.broker.trust_store and mailbox.broker.key_store need sslEnabled=true in"
            + " mailbox.broker.url";
    assertEquals(List.of(needsTls), refused(plain("trust_store", "/t.pem")));
    assertEquals(
        List.of("mailbox.broker.trust_store must be a .p12 or .pem file", needsTls),
        refused(plain("trust_store", "/t.jks")));
    assertEquals(
        List.of("The password of mailbox.broker.trust_store is given without it"),
        refused(plain("trust_store_password", "canary")));
  }

  @Test
  void amnesiaExcludesIt() {
    assertEquals(
        List.of("mailbox.amnesia excludes mailbox.broker.url: the broker would keep messages"),
        refused(plain("mailbox.amnesia", "true")));
  }
}
