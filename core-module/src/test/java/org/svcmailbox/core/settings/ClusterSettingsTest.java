package org.svcmailbox.core.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How {@link SettingsLoader} reads and refuses the settings of a cluster's node. */
class ClusterSettingsTest {
  private static final String PREFIX = "mailbox.cluster.";

  /** All keys; a server that is alone has none. */
  static final List<String> KEYS =
      SettingTable.ALL.stream().map(Setting::key).filter(key -> key.startsWith(PREFIX)).toList();

  private static final Map<String, String> PLAIN =
      Map.of(
          "mailbox.cluster.node", "a",
          "mailbox.cluster.url", "http://a:8080/mail",
          "mailbox.broker.url", "tcp://broker:61617",
          "mailbox.broker.user", "u",
          "mailbox.broker.password", "canary",
          "mailbox.topics.auto_create", "false");

  private static MailboxSettings load(Map<String, String> given) {
    return SettingsLoader.load(
        key -> Optional.ofNullable(given.get(key)), given.keySet(), 1, Long.MAX_VALUE);
  }

  private static Map<String, String> plain(String key, String value) {
    Map<String, String> given = new HashMap<>(PLAIN);
    given.put(key, value);
    return given;
  }

  private static Map<String, String> without(String key) {
    Map<String, String> given = new HashMap<>(PLAIN);
    given.remove(key);
    return given;
  }

  private static List<String> refused(Map<String, String> given) {
    return assertThrows(SettingsException.class, () -> load(given)).violations();
  }

  @Test
  void withoutAnyTheServerIsAlone() {
    assertEquals(Optional.empty(), load(Map.of()).cluster());
  }

  @Test
  void everyKeySetsItsOwnValue() {
    assertEquals(6, KEYS.size());
    Map<String, String> given = plain("mailbox.cluster.groups", "1024");
    given.put("mailbox.cluster.leave_deadline", "60s");
    given.put("mailbox.cluster.patience", "10s");
    given.put("mailbox.cluster.trust_store", "/etc/peers.pem");
    assertEquals(
        new MailboxSettings.Cluster(
            "a",
            URI.create("http://a:8080/mail"),
            1_024,
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            Optional.of(Path.of("/etc/peers.pem"))),
        load(given).cluster().orElseThrow());
    MailboxSettings.Cluster byDefault = load(PLAIN).cluster().orElseThrow();
    assertEquals(4, byDefault.groups());
    assertEquals(Duration.ofSeconds(20), byDefault.leaveDeadline());
    assertEquals(Duration.ofSeconds(3), byDefault.patience());
    assertEquals(Optional.empty(), byDefault.trustStore());
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "-a", "a/b", "\u00e4"})
  void aNameIsOfPlainLetters(String name) {
    requireBadName(name);
  }

  private static void requireBadName(String name) {
    List<String> violations = refused(plain("mailbox.cluster.node", name));
    assertTrue(violations.get(0).startsWith("mailbox.cluster.node"), violations.toString());
  }

  @Test
  void aNameHasAtMostSixtyFourCharacters() {
    String longest = "n".repeat(64);
    assertEquals(
        longest, load(plain("mailbox.cluster.node", longest)).cluster().orElseThrow().node());
    requireBadName(longest + "n");
  }

  @ParameterizedTest
  @CsvSource({
    "mailbox.cluster.url, mailbox.cluster.node needs mailbox.cluster.url",
    "mailbox.cluster.node, mailbox.cluster.url needs mailbox.cluster.node",
    "mailbox.topics.auto_create, mailbox.cluster.node excludes mailbox.topics.auto_create: a SEND would wait until all nodes know the topic",
  })
  void aNodeNeeds(String key, String violation) {
    assertEquals(List.of(violation), refused(without(key)));
  }

  @Test
  void aTrustStoreNeedsANode() {
    assertEquals(
        List.of("mailbox.cluster.trust_store needs mailbox.cluster.node"),
        refused(Map.of("mailbox.cluster.trust_store", "peers.pem")));
  }

  @Test
  void nodesShareABroker() {
    Map<String, String> given = without("mailbox.broker.url");
    given.remove("mailbox.broker.user");
    given.remove("mailbox.broker.password");
    assertEquals(
        List.of("mailbox.cluster.node needs mailbox.broker.url: the nodes share a broker"),
        refused(given));
  }

  @ParameterizedTest
  @CsvSource({"mailbox.rendezvous.enabled, true", "mailbox.accept, foreign-2"})
  void aNodeExcludes(String key, String value) {
    List<String> violations = refused(plain(key, value));
    assertEquals(1, violations.size(), violations.toString());
    assertEquals("mailbox.cluster.node excludes " + key, violations.get(0).replaceAll(": .*", ""));
  }

  @Test
  void aNodeExcludesAmnesiaByName() {
    assertEquals(
        1L,
        refused(plain("mailbox.amnesia", "true")).stream()
            .filter(one -> one.startsWith("mailbox.cluster.node excludes mailbox.amnesia:"))
            .count());
  }
}
