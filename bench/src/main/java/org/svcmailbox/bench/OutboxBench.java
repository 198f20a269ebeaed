package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.bench.MailboxContestant.Form;
import org.svcmailbox.bench.OutboxTransactions.Millis;
import org.svcmailbox.bench.PublisherDrain.Mark;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.outbox.mailbox.MailboxPublisher;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.Published;

/** The transactional outbox beside what one would use in its place, on one PostgreSQL. */
final class OutboxBench {
  /** gruelbox is given fewer rows: its rate does not depend on how many there are. */
  private static final int GRUELBOX_SHARE = 5;

  private static final int GRUELBOX_THREADS = 8;

  /** One reads and marks while the other waits for answers. */
  private static final int PUBLISHERS = 2;

  private static final int UNDER_WAY = 4_000;
  private static final List<String> WITH_SERVICE =
      List.of(OutboxGoal.SERVICE, OutboxGoal.JOURNEY, OutboxGoal.MILLION_SERVICE);

  private static final int TENTHS = 10;
  private static final double MEBIBYTE = 1 << 20;
  private static final Duration JOURNEY_FIRST = Duration.ofSeconds(10);
  private static final Duration SEND_TIMEOUT = Duration.ofSeconds(5);

  private static final EventPublisher NOTHING =
      (subject, payload, headers) ->
          CompletableFuture.completedFuture(new Published("nowhere", false));

  private final Options options;
  private final Figures figures = new Figures();
  private final Path data;
  private int topics;
  private int sent;

  private interface Round {
    void into(Figures figures) throws Exception;
  }

  private interface OnTopic<T> {
    T with(String topic, EventPublisher publisher) throws Exception;
  }

  private OutboxBench(Options options) throws IOException {
    this.options = options;
    data = Files.createDirectories(options.work().resolve("data"));
  }

  /** Measures and prints. */
  static void run(Options options) throws Exception {
    new OutboxBench(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.facts(data);
    machine.put("load average before", Machine.loadAverage());
    Versions.addOutboxesTo(machine);
    try (OutboxDatabase database = OutboxDatabase.start(data)) {
      if (options.has(OutboxGoal.RECORD)) {
        OutboxTransactions transactions = new OutboxTransactions(database);
        rounds(OutboxGoal.RECORD, into -> record(transactions, into));
      }
      if (options.has(OutboxGoal.DRAIN)) {
        rounds(OutboxGoal.DRAIN, into -> drain(database, into));
      }
      if (options.has(OutboxGoal.MILLION)) {
        million(database);
      }
      if (WITH_SERVICE.stream().anyMatch(options::has)) {
        withService(database);
      }
    }
    OutboxReport report = new OutboxReport(machine, figures, options);
    System.out.println(report.markdown());
    report.write(options.work());
    if (options.writesDocs()) {
      Files.writeString(Path.of("docs/OUTBOX_PERFORMANCE.md"), report.document());
    }
  }

  /** Whole rounds that are not counted, at least one, and then those that are. */
  private void rounds(String part, Round round) throws Exception {
    Bench.say(part + ": warming up");
    long end = System.nanoTime() + options.warmUp().toNanos();
    do {
      round.into(new Figures());
    } while (System.nanoTime() - end < 0);
    for (int number = 1; number <= options.rounds(); number++) {
      Bench.say(part + ": round " + number + " of " + options.rounds());
      round.into(figures);
    }
  }

  private void record(OutboxTransactions transactions, Figures into) throws Exception {
    Millis millis = transactions.measure(options.load());
    into.add("record.alone_ms", millis.alone());
    into.add("record.twice_ms", millis.twice());
    into.add("record.recorded_ms", millis.recorded());
    into.add("record.scheduled_ms", millis.scheduled());
    into.add("record.ratio", millis.ratio());
    into.add("record.added", millis.added());
  }

  private void drain(OutboxDatabase database, Figures into) throws Exception {
    int few = Math.max(1, options.backlog() / GRUELBOX_SHARE);
    double ours = drain(new PublisherDrain(database, NOTHING, 1), options.backlog());
    double loop = drain(new LoopDrain(database), options.backlog());
    double gruelbox = drain(new GruelboxDrain(database, GRUELBOX_THREADS), few);
    into.add("drain.ours", ours);
    into.add("drain.loop", loop);
    into.add("drain.gruelbox", gruelbox);
    into.add("drain.loop.ratio", ours / loop);
    into.add("drain.gruelbox.ratio", ours / gruelbox);
  }

  private static double drain(OutboxDrain drain, int events) throws Exception {
    drain.fill(events);
    return drain.drain(events);
  }

  private void withService(OutboxDatabase database) throws Exception {
    try (MailboxContestant service =
        new MailboxContestant(Form.JSON, options.home(), options.work())) {
      Bench.say("starting the server");
      service.start(data.resolve("server"), options.work().resolve("server.txt"));
      if (options.has(OutboxGoal.SERVICE)) {
        rounds(OutboxGoal.SERVICE, into -> service(database, service, into));
      }
      if (options.has(OutboxGoal.JOURNEY)) {
        journey(database, service);
      }
      if (options.has(OutboxGoal.MILLION_SERVICE)) {
        onNewTopic(
            service,
            (topic, publisher) ->
                tenths("million.service", database, publisher, PUBLISHERS, OutboxBench::goOn));
      }
    }
  }

  private void journey(OutboxDatabase database, MailboxContestant service) throws Exception {
    Bench.say(OutboxGoal.JOURNEY);
    Duration length = options.load().multipliedBy(options.rounds());
    List<Long> nanos =
        onNewTopic(
            service,
            (topic, publisher) ->
                new OutboxJourney(database, service.target(), topic, publisher)
                    .run(JOURNEY_FIRST, length));
    figures.add("journey.p50_ms", Samples.percentile(nanos, 50) / 1e6);
    figures.add("journey.p99_ms", Samples.percentile(nanos, 99) / 1e6);
  }

  private void service(OutboxDatabase database, MailboxContestant service, Figures into)
      throws Exception {
    double ours = toTheService(database, service, PUBLISHERS);
    double client =
        onNewTopic(
            service,
            (topic, publisher) ->
                new SendWindow(UNDER_WAY, () -> send(publisher)).run(options.load()));
    into.add("service.ours", ours);
    into.add("service.client", client);
    into.add("service.ratio", ours / client);
    into.add("service.alone", toTheService(database, service, 1));
  }

  private double toTheService(OutboxDatabase database, MailboxContestant service, int publishers)
      throws Exception {
    return onNewTopic(
        service,
        (topic, publisher) ->
            drain(new PublisherDrain(database, publisher, publishers), options.backlog() / 2));
  }

  private CompletionStage<?> send(EventPublisher publisher) {
    int number = ++sent;
    return publisher.publish(
        OutboxOrders.subject(), OutboxOrders.payload(number), OutboxOrders.headers(number));
  }

  private <T> T onNewTopic(MailboxContestant service, OnTopic<T> work) throws Exception {
    String topic = LoadTarget.TOPICS + "outbox." + topics++;
    service.create(topic);
    LoadTarget target = service.target();
    T result;
    try (HttpMailbox<String, byte[]> mailbox =
        HttpMailbox.builder(
                target.server(),
                TokenSource.of(target.token()),
                topic,
                Codecs.utf8(),
                Codecs.bytes())
            .sendTimeout(SEND_TIMEOUT)
            .build()) {
      result = work.with(topic, new MailboxPublisher(mailbox));
    }
    service.delete(topic);
    return result;
  }

  private void million(OutboxDatabase database) throws Exception {
    // Else the first tenth is slow because nothing is compiled yet.
    drain(new PublisherDrain(database, NOTHING, 1), options.backlog());
    figures.add("heap.start", Heap.ownBytes() / MEBIBYTE);
    Runnable middle = () -> figures.add("heap.middle", Heap.ownBytes() / MEBIBYTE);
    tenths("million", database, NOTHING, 1, middle);
    figures.add("heap.end", Heap.ownBytes() / MEBIBYTE);
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("CREATE TEMPORARY TABLE left_open (id int)");
      tenths("million.open", database, NOTHING, 1, OutboxBench::goOn);
      connection.rollback();
    }
  }

  /**
   * Publishes ten times the backlog, and takes the rates of the first and the last tenth.
   *
   * @param middle what is done half-way
   * @return the last to the first
   */
  private double tenths(
      String key, OutboxDatabase database, EventPublisher topic, int publishers, Runnable middle)
      throws Exception {
    int tenth = options.backlog();
    Bench.say(key + ": " + TENTHS * tenth + " events");
    PublisherDrain drain = new PublisherDrain(database, topic, publishers);
    drain.fill(TENTHS * tenth);
    List<Double> rates =
        drain.drain(
            TENTHS * tenth,
            List.of(
                new Mark(tenth, OutboxBench::goOn),
                new Mark(TENTHS / 2 * tenth, middle),
                new Mark((TENTHS - 1) * tenth, OutboxBench::goOn)));
    double first = rates.get(0);
    double last = rates.get(rates.size() - 1);
    figures.add(key + ".first", first);
    figures.add(key + ".last", last);
    figures.add(key + ".ratio", last / first);
    return last / first;
  }

  private static void goOn() {}
}
