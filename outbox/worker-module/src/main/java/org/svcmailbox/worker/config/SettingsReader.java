package org.svcmailbox.worker.config;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.client.http.ServiceUri;
import org.svcmailbox.outbox.event.EventSubject;
import org.svcmailbox.outbox.publish.PublisherSettings;
import org.svcmailbox.outbox.publish.PublisherSettings.OnParked;
import org.svcmailbox.worker.config.WorkerSettings.Database;
import org.svcmailbox.worker.config.WorkerSettings.Inbox;
import org.svcmailbox.worker.config.WorkerSettings.Retention;
import org.svcmailbox.worker.config.WorkerSettings.Service;

/** Reads {@code worker.toml}, the {@code streams.toml} that it names, and the environment. */
public final class SettingsReader {
  private static final int MIN_POOL = 3;
  private static final int MAX_CONSUMERS = 16;
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Duration YEAR = Duration.ofDays(365);

  private final Path file;
  private final WorkerVariables variables;
  private final Violations violations = new Violations();
  private final Section root;

  private SettingsReader(Path file, WorkerVariables variables) {
    this.file = file;
    this.variables = variables;
    root = new Section("", toml(file), variables, violations);
  }

  /** The file that the environment names, or else {@code worker.toml} in the current directory. */
  public static Path file(Map<String, String> environment) {
    return Path.of(requireNonNullElse(new WorkerVariables(environment).config(), "worker.toml"));
  }

  /**
   * Reads the settings.
   *
   * @param file {@code worker.toml}
   * @param environment the process's environment variables
   * @throws ConfigException with everything that is wrong
   */
  public static WorkerSettings read(Path file, Map<String, String> environment) {
    SettingsReader reader = new SettingsReader(file, new WorkerVariables(environment));
    WorkerSettings settings = reader.read();
    reader.violations.check();
    return settings;
  }

  /** The names of all settings that {@code worker.toml} may have. */
  static Set<String> names(Path file) {
    SettingsReader reader = new SettingsReader(file, WorkerVariables.NONE);
    WorkerSettings unused = reader.read();
    return reader.root.names();
  }

  private WorkerSettings read() {
    String context = root.required("context");
    violations.require(
        context.isEmpty() || EventSubject.isName(context),
        "context",
        "begins with a letter and has letters, digits, _ and -, at most 63");
    Streams streams = streams(file.resolveSibling(root.text("streams", "streams.toml")));
    Retention retention = retention(root.section("retention"));
    WorkerSettings settings =
        new WorkerSettings(
            context,
            database(root.section("database")),
            service(root.section("service")),
            publisher(root.section("publisher"), context),
            inbox(root.section("inbox"), streams, retention),
            retention,
            listen(root.section("health")),
            root.duration("stop_timeout", Duration.ofSeconds(25), Duration.ZERO, YEAR),
            streams);
    long ordered = settings.inbox().consumers().stream().filter(ConsumerSettings::ordered).count();
    violations.require(
        settings.database().pool() >= MIN_POOL + ordered,
        "database.pool",
        "is at least " + (MIN_POOL + ordered) + ", as each ordered consumer keeps a connection");
    root.finish();
    variables.requireKnown(root.names(), violations);
    return settings;
  }

  private Streams streams(Path streams) {
    Section section =
        new Section(streams.getFileName() + ": ", toml(streams), WorkerVariables.NONE, violations);
    return new StreamsFile(streams, section, violations).read();
  }

  private Database database(Section section) {
    Path embedded = file.toAbsolutePath().resolveSibling("sea-mq.db");
    @Nullable String password = section.text("password");
    @Nullable String passwordFile = section.text("password_file");
    violations.require(
        password == null || passwordFile == null,
        section.name("password"),
        "and password_file exclude each other");
    if (passwordFile != null) {
      password = content(file.resolveSibling(passwordFile), section.name("password_file"));
    }
    String url = section.text("url", "jdbc:sqlite:" + embedded);
    violations.require(
        url.startsWith("jdbc:postgresql:") || url.startsWith("jdbc:sqlite:"),
        section.name("url"),
        "begins with jdbc:postgresql: or jdbc:sqlite:");
    Database database =
        new Database(
            url,
            section.text("user"),
            password == null ? null : new Secret(password),
            section.integer("pool", 10, MIN_POOL, 100));
    section.finish();
    return database;
  }

  private Service service(Section section) {
    @Nullable URI url = section.http("url");
    String tokenFile = section.text("token_file", "service.token");
    boolean allowPlainHttp = section.flag("allow_plain_http", false);
    URI uri = requireNonNullElse(url, URI.create("http://127.0.0.1:8080"));
    violations.require(
        allowPlainHttp || ServiceUri.isPrivate(uri),
        section.name("url"),
        "shows the token to the network: use https, or allow_plain_http");
    Service service = new Service(uri, file.resolveSibling(tokenFile), allowPlainHttp);
    violations.require(
        Files.isReadable(service.tokenFile()),
        section.name("token_file"),
        "cannot be read: " + service.tokenFile());
    section.finish();
    return service;
  }

  private @Nullable PublisherSettings publisher(Section section, String context) {
    boolean enabled = section.flag("enabled", true);
    String onParked = section.word("on_parked", "hold", "skip");
    section.finish();
    return enabled && EventSubject.isName(context)
        ? PublisherSettings.of(context)
            .withOnParked(onParked.equals("skip") ? OnParked.SKIP : OnParked.HOLD)
        : null;
  }

  private Inbox inbox(Section section, Streams streams, Retention retention) {
    List<ConsumerSettings> consumers = new ArrayList<>();
    List<String> names = section.list("consumers");
    violations.require(
        names.size() <= MAX_CONSUMERS, section.name("consumers"), "has more than " + MAX_CONSUMERS);
    for (String name : new LinkedHashSet<>(names)) {
      streams
          .consumer(name)
          .ifPresentOrElse(
              consumers::add,
              () -> violations.add(section.name("consumers"), "names no consumer: " + name));
    }
    consumers.forEach(consumer -> checkConsumer(section, consumer, retention));
    Inbox inbox = new Inbox(consumers, section.integer("threads", 50, 1, 1_000));
    section.finish();
    return inbox;
  }

  private void checkConsumer(Section section, ConsumerSettings consumer, Retention retention) {
    violations.require(
        consumer.handler() != null,
        section.name("consumers"),
        "needs a handler of " + consumer.durable());
    @Nullable Path secret = consumer.handlerTokenFile();
    violations.require(
        secret == null || Files.isReadable(secret),
        section.name("consumers"),
        "needs the handler_token_file of " + consumer.durable() + ", which cannot be read");
    Duration kept = consumer.stream().maxAge().plus(consumer.stream().deadLetterAge());
    violations.require(
        retention.inbox().compareTo(kept) >= 0,
        "retention.inbox",
        "is at least max_age and dead_letter_age of %s together, %s, or a late copy is handled again"
            .formatted(consumer.stream().name(), kept));
  }

  private Retention retention(Section section) {
    Retention retention =
        new Retention(
            section.duration("outbox", Duration.ofDays(7), SECOND, YEAR.multipliedBy(10)),
            section.duration("inbox", Duration.ofDays(30), SECOND, YEAR.multipliedBy(10)),
            section.duration("audit", YEAR, SECOND, YEAR.multipliedBy(10)));
    section.finish();
    return retention;
  }

  private InetSocketAddress listen(Section section) {
    String host = section.text("host", "127.0.0.1");
    int port = section.integer("port", 8090, 0, 65_535);
    section.finish();
    InetSocketAddress address = new InetSocketAddress(host, port);
    violations.require(!address.isUnresolved(), section.name("host"), "is unknown: " + host);
    return address;
  }

  private String content(Path secret, String name) {
    try {
      return Files.readString(secret).strip();
    } catch (IOException e) {
      violations.add(name, "cannot be read: " + secret);
      return "";
    }
  }

  private JsonNode toml(Path toml) {
    try {
      return new TomlMapper().readTree(Files.readAllBytes(toml));
    } catch (JsonProcessingException e) {
      // Without the exception's message, which quotes the line.
      violations.add(toml.toString(), "is no TOML in line " + e.getLocation().getLineNr());
    } catch (IOException e) {
      violations.add(toml.toString(), "cannot be read");
    }
    return MissingNode.getInstance();
  }
}
