package org.svcmailbox.bench.contestant;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.http.HttpProtocol;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.MailboxProtocol;
import org.svcmailbox.bench.http.OctetProtocol;
import org.svcmailbox.bench.http.TopicAdmin;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.load.Work;
import org.svcmailbox.bench.machine.ProcessUsage;
import org.svcmailbox.test.process.PostgresServer;

/** The laid-out service. */
public final class MailboxContestant extends HttpContestant {
  private static final int LARGEST_BATCH = 100;

  /** Environment beyond the defaults; 256 connections hold a hundred messages each. */
  public static final Map<String, String> SETTINGS = settings("MAILBOX_GLOBAL_INFLIGHT", "40000");

  private final Form form;
  private final Build build;
  private final Path home;
  private @Nullable PostgresServer database;
  private @Nullable ExternalBroker broker;
  private @Nullable Server server;
  private @Nullable LoadTarget client;
  private @Nullable LoadTarget operator;
  private @Nullable HttpProtocol protocol;

  /** The form of a single SEND, the database and the application server. */
  public enum Form {
    JSON("mailbox", "mailbox"),
    POSTGRESQL("mailbox-postgresql", "mailbox on PostgreSQL"),
    LIBERTY("mailbox-liberty", "mailbox on Open Liberty"),
    EXTERNAL("mailbox-external", "mailbox, broker beside it"),
    OCTET("mailbox-octet", "mailbox, octet-stream") {
      @Override
      HttpProtocol protocol(LoadTarget client, LoadTarget operator) {
        return new OctetProtocol(client, operator);
      }
    };

    private final String key;
    private final String title;

    Form(String key, String title) {
      this.key = key;
      this.title = title;
    }

    HttpProtocol protocol(LoadTarget client, LoadTarget operator) {
      return new MailboxProtocol(client, operator);
    }
  }

  /** Which build of the service it is, where two are compared. */
  public enum Build {
    THIS("", ""),
    BEFORE("-before", ", before");

    private final String key;
    private final String title;

    Build(String key, String title) {
      this.key = key;
      this.title = title;
    }
  }

  private static Map<String, String> settings(String name, String value) {
    Map<String, String> settings = new TreeMap<>(Server.SETTINGS);
    settings.put(name, value);
    return Collections.unmodifiableMap(settings);
  }

  public MailboxContestant(Form form, Path home, Path work) {
    this(form, Build.THIS, home, work);
  }

  public MailboxContestant(Form form, Build build, Path home, Path work) {
    super(work);
    this.form = form;
    this.build = build;
    this.home = home;
  }

  @Override
  public String name() {
    return form.key + build.key;
  }

  @Override
  public String title() {
    return form.title + build.title;
  }

  @Override
  public String durability() {
    return "fsync before the answer";
  }

  @Override
  public boolean can(Load load) {
    boolean single = load.batch() == 1 && load.work() != Work.RECV;
    return super.can(load) && (form != Form.OCTET || single);
  }

  @Override
  public void start(Path directory, Path output) throws IOException {
    Map<String, String> settings = new HashMap<>(SETTINGS);
    if (form == Form.POSTGRESQL) {
      PostgresServer beside =
          PostgresServer.start(
              directory.resolveSibling(directory.getFileName() + "-db"),
              Redirect.appendTo(output.toFile()));
      database = beside;
      settings.putAll(beside.settings());
    }
    if (form == Form.LIBERTY) {
      settings.put("MAILBOX_LOCAL_BROKER", "true");
    }
    if (form == Form.EXTERNAL) {
      ExternalBroker beside =
          ExternalBroker.start(
              home, directory.resolveSibling(directory.getFileName() + "-broker"), output);
      broker = beside;
      settings.putAll(beside.settings());
    }
    Server started = Server.start(home, directory, output, settings);
    server = started;
    client = started.client();
    operator = started.operator();
    protocol = form.protocol(started.client(), started.operator());
  }

  @Override
  public void fill(String queue, int messages) throws Exception {
    super.fill(queue, messages);
    requireKept(queue, messages);
  }

  @Override
  public Outcome run(Load load, String queue, Duration lasting) throws Exception {
    Outcome outcome = super.run(load, queue, lasting);
    if (load.work() != Work.RECV) {
      requireKept(queue, outcome.messages());
    }
    return outcome;
  }

  /**
   * Throws unless every accepted message is in the topic: otherwise the rate would be meaningless.
   */
  private void requireKept(String queue, long messages) throws IOException {
    long ready =
        new TopicAdmin(Objects.requireNonNull(operator)).status(queue).path("ready").asLong(-1);
    if (ready < messages) {
      throw new IllegalStateException(
          queue + " has " + ready + " of " + messages + " accepted messages");
    }
  }

  @Override
  public LoadTarget target() {
    return Objects.requireNonNull(client);
  }

  @Override
  HttpProtocol protocol() {
    return Objects.requireNonNull(protocol);
  }

  @Override
  int largestBatch() {
    return LARGEST_BATCH;
  }

  @Override
  public ProcessUsage processes() {
    ProcessHandle service = Objects.requireNonNull(server).process();
    if (broker != null) {
      return new ProcessUsage(service, broker.process());
    }
    return database == null
        ? new ProcessUsage(service)
        : new ProcessUsage(service, database.process());
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
    if (broker != null) {
      broker.close();
    }
    if (database != null) {
      database.close();
    }
  }
}
