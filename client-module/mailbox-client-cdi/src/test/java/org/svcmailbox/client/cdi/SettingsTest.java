package org.svcmailbox.client.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.enterprise.context.ApplicationScoped;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.spi.ConfigProviderResolver;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.client.MailboxListener;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.listener.HttpMailboxes;
import org.svcmailbox.client.listener.ListenerSettings;
import org.svcmailbox.client.listener.ServiceSettings;

/** The settings of mailboxes: defaults, bounds, and what is refused. */
class SettingsTest {
  private static final Map<String, String> SERVICE =
      Map.of(
          "svcmailbox.url", "http://127.0.0.1:1",
          "svcmailbox.token-file", "mailbox.cap",
          "svcmailbox.invoices.reply-to", "receipts");

  @ApplicationScoped
  static class OverHttp {
    @MailboxListener("invoices")
    Receipt book(Order invoice) {
      throw new UnsupportedOperationException();
    }
  }

  @ApplicationScoped
  static class InMemory {
    @MailboxListener("orders")
    void ship(Message<Order, Receipt> message) {}
  }

  private final DeploymentProblems problems = new DeploymentProblems();

  private MailboxSettingsReader reader(Map<String, String> values) {
    return new MailboxSettingsReader(config(values), problems);
  }

  private static Config config(Map<String, String> values) {
    ConfigSource source =
        new ConfigSource() {
          @Override
          public Set<String> getPropertyNames() {
            return values.keySet();
          }

          @Override
          public @Nullable String getValue(String key) {
            return values.get(key);
          }

          @Override
          public String getName() {
            return "test";
          }
        };
    return ConfigProviderResolver.instance().getBuilder().withSources(source).build();
  }

  @Test
  void withoutSettingsTheDefaultsHold() {
    ListenerSettings defaults = reader(Map.of()).listener("orders");
    assertEquals(
        new ListenerSettings(
            1,
            false,
            Duration.ofSeconds(30),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            OptionalInt.empty(),
            Duration.ofSeconds(30)),
        defaults);
    assertTrue(problems.isEmpty());
  }

  @Test
  void everySettingOfAListenerIsRead() {
    Map<String, String> values = new HashMap<>();
    values.put("svcmailbox.a.b.concurrency", "1000");
    values.put("svcmailbox.a.b.ordered", "true");
    values.put("svcmailbox.a.b.visibility", "250ms");
    values.put("svcmailbox.a.b.max-execution", "PT2H");
    values.put("svcmailbox.a.b.retry-delay", "0s");
    values.put("svcmailbox.a.b.dead-letter-mailbox", "dead");
    values.put("svcmailbox.a.b.stop-timeout", " 10m ");
    ListenerSettings read = reader(values).listener("a.b");
    assertEquals(
        new ListenerSettings(
            1000,
            true,
            Duration.ofMillis(250),
            Optional.of(Duration.ofHours(2)),
            Optional.of(Duration.ZERO),
            Optional.of("dead"),
            OptionalInt.of(5),
            Duration.ofMinutes(10)),
        read);
    assertTrue(problems.isEmpty(), problems::report);
  }

  @ParameterizedTest
  @CsvSource({
    "concurrency, 0",
    "concurrency, 1001",
    "concurrency, many",
    "ordered, yes",
    "visibility, 0ms",
    "visibility, 30",
    "visibility, 366d",
    "max-execution, -PT1S",
    "retry-delay, -PT1S",
    "dead-letter-mailbox, dead/letters",
    "dead-letter-mailbox, orders",
    "dead-letter-limit, 0",
    "stop-timeout, 601s",
  })
  void aWrongValueIsAProblemWithItsKey(String setting, String value) {
    String key = "svcmailbox.orders." + setting;
    reader(Map.of(key, value)).listener("orders");
    assertTrue(problems.report().contains(key + ": must be"), problems.report());
  }

  /** A secret under the wrong key was a mistake; the message must not spread it. */
  @Test
  void noProblemRepeatsAValue() {
    Map<String, String> values = new HashMap<>();
    for (MailboxSetting setting : MailboxSetting.values()) {
      values.put(setting.key("orders"), "(hunter2 \0");
    }
    values.put("svcmailbox.password", "hunter2");
    MailboxSettingsReader reader = reader(values);
    reader.listener("orders");
    assertEquals(Optional.empty(), reader.service("orders"));
    reader.refuseUnknown(Set.of(), Map.of());
    String report = problems.report();
    for (String key : values.keySet()) {
      assertTrue(report.contains(key + ": "), () -> key + " is not in " + report);
    }
    assertFalse(report.contains("hunter2"), report);
  }

  @Test
  void aMailboxTakesTheCommonServiceUnlessItHasItsOwn() {
    MailboxSettingsReader reader =
        reader(
            Map.of(
                "svcmailbox.url", "https://one.example",
                "svcmailbox.token-file", "one.cap",
                "svcmailbox.streaming", "true",
                "svcmailbox.orders.streaming", "false",
                "svcmailbox.orders.url", "https://two.example"));
    ServiceSettings own = reader.service("orders").orElseThrow();
    assertEquals("https://two.example", own.url().toString());
    assertEquals(Path.of("one.cap"), own.tokenFile());
    ServiceSettings common = reader.service("receipts").orElseThrow();
    assertEquals("https://one.example", common.url().toString());
    assertFalse(common.allowPlainHttp());
    assertFalse(own.streaming());
    assertTrue(common.streaming());
  }

  @Test
  void allBadValuesFailTheDeploymentAtOnceWithTheirKeys() {
    Map<String, String> settings =
        Map.of(
            "svcmailbox.url", "ftp://somewhere",
            "svcmailbox.token-file", "mailbox.cap",
            "svcmailbox.invoices.visibility", "13h",
            "svcmailbox.invoices.dead-letter-limit", "3",
            "svcmailbox.invoices.concurency", "2",
            "svcmailbox.invioces.concurrency", "2",
            "svcmailbox.invoices.reply-to", "(");
    String failure = Application.failure(settings, OverHttp.class);
    for (String expected :
        new String[] {
          "problems with mailboxes: 7",
          "svcmailbox.url: the service's URI is http or https",
          "svcmailbox.invoices.visibility: must be from PT0.25S to PT12H",
          "svcmailbox.invoices.dead-letter-limit: needs a dead-letter-mailbox",
          "svcmailbox.invoices.concurency: is not a setting",
          "svcmailbox.invioces.concurrency: is not a setting",
          "svcmailbox.invoices.reply-to: must be a regular expression",
          "svcmailbox.invoices.reply-to: the names of the mailboxes that",
        }) {
      assertTrue(failure.contains(expected), () -> expected + " is not in " + failure);
    }
  }

  @Test
  void aServiceMustBeNamed() {
    String failure =
        Application.failure(Map.of("svcmailbox.invoices.reply-to", "r"), OverHttp.class);
    assertTrue(failure.contains("svcmailbox.invoices.url: the mailbox service's URL"), failure);
    assertTrue(failure.contains("svcmailbox.invoices.token-file: the file with"), failure);
  }

  @Test
  void plainHttpToAnotherMachineMustBeAllowed() {
    Map<String, String> settings = new HashMap<>(SERVICE);
    settings.put("svcmailbox.url", "http://mailbox.example");
    String failure = Application.failure(settings, OverHttp.class);
    assertTrue(failure.contains("svcmailbox.url: plain HTTP shows the token"), failure);
    settings.put("svcmailbox.invoices.allow-plain-http", "true");
    HttpMailboxes http = new HttpMailboxes(name -> reader(settings).service(name).orElseThrow(), 1);
    assertEquals(Optional.empty(), http.problem("invoices"));
  }

  @Test
  void aMailboxThatTheApplicationMakesHasNoUrl() {
    Map<String, String> settings = new HashMap<>(Shop.ORDERS);
    settings.put("svcmailbox.orders.url", "http://127.0.0.1:1");
    String failure = Application.failure(settings, Shop.class, InMemory.class);
    assertTrue(failure.contains("svcmailbox.orders.url: is not a setting"), failure);
  }

  @Test
  void settingsAreHeldAgainstTheMailboxThatTheApplicationMakes() {
    String failure = Application.failure(Map.of(), Shop.class, InMemory.class);
    assertTrue(failure.contains("svcmailbox.orders.dead-letter-mailbox: is missing"), failure);
  }

  /** A container deploys a WAR of an EAR in the name of the EAR, which has other settings. */
  @Test
  void theSettingsAreThoseOfTheArchiveThatTheLibraryIsIn() {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try (Application application = Application.start(Shop.ORDERS, Shop.class, InMemory.class)) {
      assertFalse(application.get(TestThreads.class).made().isEmpty(), "nothing listens");
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  @Test
  void orderNeedsOneCallAtATime() {
    Map<String, String> settings = new HashMap<>(Shop.ORDERS);
    settings.put("svcmailbox.orders.ordered", "true");
    Application.start(settings, Shop.class, InMemory.class).close();
    settings.put("svcmailbox.orders.concurrency", "2");
    String failure = Application.failure(settings, Shop.class, InMemory.class);
    assertTrue(failure.contains("svcmailbox.orders.ordered: a concurrency of 2"), failure);
  }

  @Test
  void keysOfOtherApplicationsOnTheServerMayBeSystemPropertiesOrVariables() {
    Map<String, String> values = new HashMap<>();
    values.put("svcmailbox.others.concurrency", "2");
    values.put("svcmailbox.others.concurency", "2");
    values.put("SVCMAILBOX_THEIRS_STOP_TIMEOUT", "1s");
    values.put("SVCMAILBOX_HOME", "/");
    values.put("svcmailbox.token.file", "mailbox.cap");
    values.put("svcmailbox.orders.visibility", "1s");
    values.put("mailbox.unrelated", "1");
    Map<String, String> environment =
        Map.of(
            "SVCMAILBOX_THEIRS_STOP_TIMEOUT", "1s",
            "SVCMAILBOX_HOME", "/",
            "SVCMAILBOX_TOKEN_FILE", "mailbox.cap");
    System.setProperty("svcmailbox.others.concurrency", "2");
    System.setProperty("svcmailbox.others.concurency", "2");
    try {
      reader(values).refuseUnknown(Set.of("svcmailbox.orders.visibility"), environment);
    } finally {
      System.clearProperty("svcmailbox.others.concurrency");
      System.clearProperty("svcmailbox.others.concurency");
    }
    Set<String> refused = new HashSet<>();
    Arrays.stream(problems.report().split("\n", -1))
        .skip(1)
        .forEach(line -> refused.add(line.strip().split(":", 2)[0]));
    assertEquals(Set.of("svcmailbox.others.concurency", "SVCMAILBOX_HOME"), refused);
  }
}
