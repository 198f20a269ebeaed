package org.svcmailbox.worker.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.inbox.InboxSettings;
import org.svcmailbox.outbox.publish.PublisherSettings;

class SettingsReaderTest {
  @TempDir private Path directory;

  private SettingsFiles files;

  @BeforeEach
  void write() {
    files = new SettingsFiles(directory).worker("context = \"sea\"");
  }

  private WorkerSettings read(Map<String, String> environment) {
    return SettingsReader.read(files.worker(), environment);
  }

  private List<String> violations(Map<String, String> environment) {
    return assertThrows(ConfigException.class, () -> read(environment)).violations();
  }

  private List<String> violations() {
    return violations(Map.of());
  }

  @Test
  void theContextAloneIsEnough() {
    WorkerSettings settings = read(Map.of());
    assertEquals("sea", settings.context());
    assertEquals("jdbc:sqlite:" + directory.resolve("sea-mq.db"), settings.database().url());
    assertEquals(10, settings.database().pool());
    assertEquals(URI.create("http://127.0.0.1:8080"), settings.service().url());
    assertEquals(directory.resolve("service.token"), settings.service().tokenFile());
    assertEquals(PublisherSettings.of("sea"), settings.publisher());
    assertEquals(List.of(), settings.inbox().consumers());
    assertEquals(Duration.ofDays(7), settings.retention().outbox());
    assertEquals(Duration.ofDays(30), settings.retention().inbox());
    assertEquals("/127.0.0.1:8090", settings.listen().toString());
  }

  @Test
  void streamsAndConsumersAreAsTheFileSays() {
    files.worker("context = \"sea\"\n[inbox]\nconsumers = [\"sea__from_vibespro\"]");
    ConsumerSettings consumer = read(Map.of()).inbox().consumers().get(0);
    assertEquals("sea__from_vibespro", consumer.durable());
    assertEquals(Duration.ofMinutes(2), consumer.ackWait());
    assertEquals(20, consumer.maxDeliver());
    assertEquals(50, consumer.maxAckPending());
    assertEquals(URI.create("http://127.0.0.1:8000/handle"), consumer.handler());
    assertEquals(Duration.ofDays(7), consumer.stream().maxAge());
    assertEquals(10L << 30, consumer.stream().maxBytes());
  }

  @Test
  void theEnvironmentTakesThePlaceOfTheFile() {
    files.worker("context = \"sea\"\n[database]\nurl = \"jdbc:postgresql://one/x\"\npool = 5");
    WorkerSettings settings =
        read(
            Map.of(
                "SEA_MQ_CONTEXT", "vibespro",
                "SEA_MQ_DATABASE_URL", "jdbc:postgresql://two/y",
                "SEA_MQ_DATABASE_PASSWORD", "hidden",
                "SEA_MQ_DATABASE_POOL", "7",
                "SEA_MQ_PUBLISHER_ENABLED", "false",
                "SEA_MQ_INBOX_CONSUMERS", "sea__from_vibespro,",
                "SEA_MQ_CONFIG", "elsewhere",
                "HOME", "/"));
    assertEquals("vibespro", settings.context());
    assertEquals("jdbc:postgresql://two/y", settings.database().url());
    assertEquals(new Secret("hidden"), settings.database().password());
    assertEquals(7, settings.database().pool());
    assertNull(settings.publisher());
    assertEquals(1, settings.inbox().consumers().size());
    assertFalse(settings.toString().contains("hidden"), settings.toString());
  }

  @Test
  void aPasswordCanBeInAFile() {
    files.worker("context = \"sea\"\n[database]\npassword_file = \"pw\"").write("pw", "hidden\n");
    assertEquals(new Secret("hidden"), read(Map.of()).database().password());
  }

  @Test
  void everythingThatIsWrongIsToldAtOnce() {
    files
        .worker(
            """
            context = "9"
            colour = "red"
            stop_timeout = "soon"
            [database]
            url = "jdbc:oracle:x"
            pool = 2
            password = "secret-1"
            password_file = "missing"
            [service]
            url = "ftp://x"
            token_file = "none"
            [publisher]
            on_parked = "burn"
            enabled = "maybe"
            [inbox]
            consumers = ["nobody"]
            threads = 0
            [retention]
            outbox = "-1d"
            [health]
            port = 70000
            """)
        .streams(
            """
            [[stream]]
            name = "S"
            subjects = ["a..b"]
            retention = "interest"
            replicas = 3
            max_bytes = "ten"
            [[consumer]]
            stream = "T"
            durable = "a b"
            filter_subject = ">.x"
            ack_policy = "none"
            max_deliver = 0
            handler = "nowhere"
            """);
    List<String> violations = violations(Map.of("SEA_MQ_COLOR", "red"));
    String all = String.join("\n", violations);
    for (String expected :
        List.of(
            "context begins with a letter",
            "colour is no setting",
            "stop_timeout must be a duration such as",
            "database.url begins with",
            "database.pool is a number from 3 to 100, not 2",
            "database.password and password_file exclude",
            "database.password_file cannot be read",
            "service.url is an address",
            "service.token_file cannot be read",
            "publisher.on_parked is hold or skip, not burn",
            "publisher.enabled is true or false",
            "inbox.consumers names no consumer: nobody",
            "inbox.threads is a number from 1 to 1000, not 0",
            "retention.outbox must be a duration such as",
            "health.port is a number from 0 to 65535, not 70000",
            "streams.toml: stream[0].subjects is wrong",
            "streams.toml: stream[0].retention is limits, not interest",
            "streams.toml: stream[0].replicas is 1: the service runs on a single node",
            "streams.toml: stream[0].max_bytes must be a size such as",
            "streams.toml: consumer[0].stream is no stream: T",
            "streams.toml: consumer[0].durable is no name of a topic",
            "streams.toml: consumer[0].filter_subject is wrong",
            "streams.toml: consumer[0].ack_policy is explicit, not none",
            "streams.toml: consumer[0].max_deliver is a number from 1 to 1000, not 0",
            "streams.toml: consumer[0].handler is an address",
            "SEA_MQ_COLOR is the variable of no setting")) {
      assertTrue(all.contains(expected), () -> expected + " is missing in\n" + all);
    }
    assertEquals(26, violations.size(), all);
    assertFalse(all.contains("secret-1"), all);
  }

  @Test
  void aHandlersTokenIsAFileAndTravelsByTls() {
    String streams = SettingsFiles.STREAMS + "handler_token_file = \"handler.secret\"\n";
    files
        .worker("context = \"sea\"\n[inbox]\nconsumers = [\"sea__from_vibespro\"]")
        .streams(streams);
    assertEquals(
        List.of(
            "inbox.consumers needs the handler_token_file of sea__from_vibespro, which cannot be"
                + " read"),
        violations());
    files.write("handler.secret", "hidden");
    assertEquals(
        directory.resolve("handler.secret"),
        read(Map.of()).inbox().consumers().get(0).handlerTokenFile());
    for (String host : List.of("handler.example", "127.0.0.1.example")) {
      files.streams(streams.replace("http://127.0.0.1", "http://" + host));
      assertEquals(
          List.of("streams.toml: consumer[0].handler shows the token to the network: use https"),
          violations());
    }
  }

  @Test
  void aFileThatIsNoTomlIsNotQuoted() {
    files.worker("context = \"sea\"\npassword = secret-1 x");
    String all = String.join("\n", violations());
    assertTrue(all.contains("worker.toml is no TOML in line 2"), all);
    assertFalse(all.contains("secret-1"), all);
  }

  @Test
  void aMissingFileIsNamed() {
    files.worker("context = \"sea\"\nstreams = \"elsewhere.toml\"");
    assertEquals(List.of(directory.resolve("elsewhere.toml") + " cannot be read"), violations());
  }

  @Test
  void aTokenTravelsByTlsUnlessItIsAllowedOtherwise() {
    Map<String, String> remote = Map.of("SEA_MQ_SERVICE_URL", "http://mailbox.example");
    assertTrue(violations(remote).get(0).startsWith("service.url shows the token"));
    Map<String, String> named = Map.of("SEA_MQ_SERVICE_URL", "http://127.0.0.1.example");
    assertTrue(violations(named).get(0).startsWith("service.url shows the token"));
    Map<String, String> tls = Map.of("SEA_MQ_SERVICE_URL", "https://mailbox.example");
    assertEquals("mailbox.example", read(tls).service().url().getHost());
    files.worker("context = \"sea\"\n[service]\nallow_plain_http = true");
    assertEquals("mailbox.example", read(remote).service().url().getHost());
  }

  /** 7 d of messages and 14 d of dead letters. */
  @ParameterizedTest
  @CsvSource({"21d, true", "20d, false"})
  void theInboxRemembersForAsLongAsCopiesCanCome(String retention, boolean holds) {
    files.worker(
        "context = \"sea\"\n[inbox]\nconsumers = [\"sea__from_vibespro\"]\n[retention]\ninbox = \"%s\""
            .formatted(retention));
    if (holds) {
      assertEquals(Duration.ofDays(21), read(Map.of()).retention().inbox());
    } else {
      assertTrue(violations().get(0).startsWith("retention.inbox is at least"));
    }
  }

  private static final String SECOND =
      """
      [[consumer]]
      stream = "VIBESPRO_EVENTS"
      durable = "%s"
      filter_subject = "%s"
      """;

  @ParameterizedTest
  @CsvSource({
    "other, sea.event.>, matches no subject of stream",
    "sea__from_vibespro, vibespro.event.>, repeat"
  })
  void aConsumerHasItsOwnNameAndSubjectsOfItsStream(
      String durable, String filter, String violation) {
    files
        .streams(SettingsFiles.STREAMS + SECOND.formatted(durable, filter))
        .worker("context = \"sea\"\n[inbox]\nconsumers = [\"sea__from_vibespro\", \"other\"]");
    String all = String.join("\n", violations());
    assertTrue(all.contains(violation), all);
  }

  @Test
  void consumersOfOneWorkerMayOverlap() {
    String handler = "handler = \"http://127.0.0.1:8001/handle\"\n";
    files
        .streams(SettingsFiles.STREAMS + SECOND.formatted("other", "vibespro.>") + handler)
        .worker("context = \"sea\"\n[inbox]\nconsumers = [\"sea__from_vibespro\", \"other\"]");
    WorkerSettings settings = read(Map.of());
    assertEquals(
        List.of("sea__from_vibespro", "other"),
        settings.inbox().consumers().stream()
            .map(settings::inboxSettings)
            .map(InboxSettings::consumer)
            .toList());
  }

  @Test
  void aConsumerThatRunsNeedsAHandler() {
    files
        .streams(SettingsFiles.STREAMS + SECOND.formatted("other", "vibespro.event.paid.v1"))
        .worker("context = \"sea\"\n[inbox]\nconsumers = [\"other\"]");
    assertEquals(List.of("inbox.consumers needs a handler of other"), violations());
  }

  @Test
  void anEventGoesToTheConsumersThatSubscribe() {
    files.streams(SettingsFiles.STREAMS + SECOND.formatted("other", "vibespro.event.paid.v1"));
    Streams streams = read(Map.of()).streams();
    assertEquals(
        List.of("sea__from_vibespro", "other"),
        streams.topics(new EventSubject("vibespro.event.paid.v1")));
    assertEquals(
        List.of("sea__from_vibespro"), streams.topics(new EventSubject("vibespro.event.made.v1")));
    assertEquals(List.of(), streams.topics(new EventSubject("sea.event.made.v1")));
  }

  @ParameterizedTest
  @CsvSource({"3, true, false", "4, true, true", "3, false, true"})
  void anOrderedConsumerNeedsAConnectionMore(int pool, boolean isOrdered, boolean holds) {
    files
        .worker(
            "context = \"sea\"\n[database]\npool = %d\n[inbox]\nconsumers = [\"sea__from_vibespro\"]"
                .formatted(pool))
        .streams(SettingsFiles.STREAMS + "\nordered = " + isOrdered);
    if (holds) {
      assertEquals(pool, read(Map.of()).database().pool());
    } else {
      assertEquals(
          List.of("database.pool is at least 4, as each ordered consumer keeps a connection"),
          violations());
    }
  }
}
