package org.svcmailbox.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The broker beside the service has the settings of the one in the server's process. */
class BrokerTemplateTest {
  private static final Path CONFIG = Path.of("..", "config");
  private static final Pattern ATTRIBUTE =
      Pattern.compile("server=default:write-attribute\\(name=([a-z-]+), value=(\\w+)\\)");

  /** Names of the template where they are others than the server's. */
  private static final Map<String, String> NAMES =
      Map.of("global-max-memory-size", "global-max-size");

  private final String cli =
      Files.readString(CONFIG.resolve("wildfly/20-broker.cli")).replaceAll("\\\\\\R\\s*", "");
  private final Document template;

  BrokerTemplateTest() throws Exception {
    template =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(CONFIG.resolve("artemis/broker.xml").toFile());
  }

  @Test
  void theBrokersAttributesAreTheSame() {
    Map<String, String> expected = new TreeMap<>();
    ATTRIBUTE.matcher(cli).results().forEach(one -> expected.put(one.group(1), one.group(2)));
    expected.put("max-redelivery-records", property("maxRedeliveryRecords"));
    expected.put("page-sync-timeout", property("pageSyncTimeout"));
    assertTrue(expected.size() > 10, expected::toString);
    expected.forEach(
        (name, value) -> assertEquals(value, only(NAMES.getOrDefault(name, name)), name));
  }

  private String property(String name) {
    return group("brokerconfig\\." + name + ":add\\(value=(\\w+)\\)", cli);
  }

  @ParameterizedTest
  @ValueSource(strings = {"#", "mailbox.#", "mailbox.log.#", "mailbox.dlq.#"})
  void theAddressSettingsAreTheSame(String match) {
    String settings = group("address-setting=" + Pattern.quote(match) + ":add\\(([^)]+)\\)", cli);
    List<String> chain =
        Stream.of(match, "mailbox.#", "#").filter(one -> covers(one, match)).toList();
    for (String setting : settings.split(",", -1)) {
      String[] parts = setting.strip().split("=", 2);
      String name = NAMES.getOrDefault(parts[0], parts[0]);
      assertEquals(parts[1], resolved(chain, name), match + " " + name);
    }
  }

  @Test
  void theBrokerReadsAsLittleOfItsPagesAhead() {
    for (String match : List.of("#", "mailbox.dlq.#")) {
      String quoted = match.equals("#") ? "#" : "\\\"" + match + "\\\"";
      assertEquals(
          property(Pattern.quote("addressSettings." + quoted + ".prefetchPageBytes") + "\""),
          only(addressSetting(match.equals("#") ? "mailbox.#" : match), "prefetch-page-bytes"),
          match);
    }
  }

  /** In this process nothing is asked of management for it. */
  @Test
  void managementTellsOfWholeScheduledMessages() {
    assertEquals(
        "-1", only(addressSetting("mailbox.#"), "management-message-attribute-size-limit"));
  }

  @Test
  void theBrokersPluginsAreThoseInTheLayout() {
    NodeList plugins = template.getElementsByTagName("broker-plugin");
    assertEquals(4, plugins.getLength());
    for (int i = 0; i < plugins.getLength(); i++) {
      String name = ((Element) plugins.item(i)).getAttribute("class-name");
      String source = name.replace('.', '/') + ".java";
      assertTrue(Files.exists(CONFIG.resolve("broker/src/main/java").resolve(source)), source);
    }
  }

  private static boolean covers(String pattern, String match) {
    return match.startsWith(pattern.substring(0, pattern.length() - 1));
  }

  /** The value of the nearest settings that have one, as the broker merges them. */
  private String resolved(List<String> matches, String name) {
    return matches.stream()
        .flatMap(match -> values(addressSetting(match), name).stream())
        .findFirst()
        .orElse("none");
  }

  private Element addressSetting(String match) {
    NodeList all = template.getElementsByTagName("address-setting");
    for (int i = 0; i < all.getLength(); i++) {
      if (((Element) all.item(i)).getAttribute("match").equals(match)) {
        return (Element) all.item(i);
      }
    }
    throw new AssertionError("no settings for " + match);
  }

  @Test
  void nothingIsOpenBesideTheOneAcceptor() throws IOException {
    assertEquals("tcp://@BIND@?protocols=CORE;@TLS@", only("acceptor"));
    assertEquals("true", only("security-enabled"));
    assertEquals("false", only("jmx-management-enabled"));
    for (String name : List.of("cluster-connection", "connector", "broadcast-group", "bridge")) {
      assertEquals(0, template.getElementsByTagName(name).getLength(), name);
    }
    assertFalse(Files.readString(CONFIG.resolve("artemis/bootstrap.xml")).contains("<web"));
    for (String login : List.of("login.config", "certificate-login.config")) {
      assertFalse(Files.readString(CONFIG.resolve("artemis").resolve(login)).contains("Guest"));
    }
  }

  @Test
  void theOneUserMakesNoQueueOutsideTheServicesButForAnswers() {
    assertEquals(
        Set.of("mailbox.# createDurableQueue", "activemq.management.# createNonDurableQueue"),
        granted("create.*Queue"));
    assertEquals(Set.of("activemq.management.# manage"), granted("manage|view|edit"));
  }

  private Set<String> granted(String types) {
    NodeList permissions = template.getElementsByTagName("permission");
    Set<String> granted = new TreeSet<>();
    for (int i = 0; i < permissions.getLength(); i++) {
      Element permission = (Element) permissions.item(i);
      assertEquals("mailbox", permission.getAttribute("roles"));
      String type = permission.getAttribute("type");
      if (type.matches(types)) {
        String match = ((Element) permission.getParentNode()).getAttribute("match");
        granted.add(match + " " + type);
      }
    }
    return granted;
  }

  @Test
  void theScriptAndTheUnitTakeTheReleaseThatTheServiceIsBuiltWith() throws IOException {
    String release =
        group("<version\\.artemis>([^<]+)<", Files.readString(Path.of("..", "..", "pom.xml")));
    String script = Files.readString(CONFIG.resolve("bin/mailbox-broker"));
    assertEquals(release, group("(?m)^version=(\\S+)$", script));
    String unit = Files.readString(CONFIG.resolve("systemd/mailbox-broker.service"));
    assertEquals(release, group("ARTEMIS_HOME=/opt/apache-artemis-(\\S+)", unit));
  }

  @Test
  void theBrokersUnitIsAsTightAsTheServices() throws IOException {
    String brokers = sandbox("systemd/mailbox-broker.service");
    assertTrue(brokers.contains("SystemCallFilter="), brokers);
    assertEquals(sandbox("systemd/mailbox.service"), brokers);
  }

  private static String sandbox(String unit) throws IOException {
    return group(
        "(?ms)^(NoNewPrivileges=yes$.*)^\\[Install\\]$", Files.readString(CONFIG.resolve(unit)));
  }

  private String only(String name) {
    return only(template.getDocumentElement(), name);
  }

  private static String only(Element parent, String name) {
    List<String> found = values(parent, name);
    assertEquals(1, found.size(), () -> name + ": " + found);
    return found.get(0);
  }

  private static List<String> values(Element parent, String name) {
    NodeList found = parent.getElementsByTagName(name);
    return IntStream.range(0, found.getLength())
        .mapToObj(i -> found.item(i).getTextContent())
        .toList();
  }

  private static String group(String pattern, String text) {
    return Pattern.compile(pattern)
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + pattern));
  }
}
