package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.svcmailbox.bench.OutboxTransactions.Millis;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.Published;

/** The transactional outbox beside what one would use in its place, on one PostgreSQL. */
final class OutboxBench {
  /** gruelbox is given fewer rows: its rate does not depend on how many there are. */
  private static final int GRUELBOX_SHARE = 5;

  /** With more or fewer it is slower, on two cores. */
  private static final int GRUELBOX_THREADS = 8;

  private static final double MEBIBYTE = 1 << 20;

  private static final EventPublisher NOTHING =
      (subject, payload, headers) ->
          CompletableFuture.completedFuture(new Published("nowhere", false));

  private final Options options;
  private final Figures figures = new Figures();
  private final Path data;

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
      measure(database);
    }
    OutboxReport report = new OutboxReport(machine, figures, options);
    System.out.println(report.markdown());
    report.write(options.work());
    if (options.writesDocs()) {
      Files.writeString(Path.of("docs/OUTBOX_PERFORMANCE.md"), report.document());
    }
  }

  private void measure(OutboxDatabase database) throws Exception {
    OutboxRounds rounds = new OutboxRounds(options, figures);
    if (options.has(OutboxGoal.RECORD)) {
      OutboxTransactions transactions = new OutboxTransactions(database);
      rounds.run(OutboxGoal.RECORD, into -> record(transactions, into));
    }
    if (options.has(OutboxGoal.DRAIN)) {
      rounds.run(OutboxGoal.DRAIN, into -> drain(database, into));
    }
    if (options.has(OutboxGoal.MILLION)) {
      million(database);
    }
    OutboxService.run(options, figures, database, data.resolve("server"));
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

  private void million(OutboxDatabase database) throws Exception {
    PublisherDrain drain = new PublisherDrain(database, NOTHING, 1);
    LongDrain longDrain = new LongDrain(options, figures);
    // Else the first tenth is slow because nothing is compiled yet.
    drain(drain, options.backlog());
    heap("start");
    longDrain.run("million", drain, () -> heap("middle"));
    heap("end");
    try (Connection connection = database.source().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("CREATE TEMPORARY TABLE left_open (id int)");
      longDrain.run("million.open", drain, LongDrain::goOn);
      connection.rollback();
    }
  }

  private void heap(String when) {
    figures.add("heap." + when, Heap.ownBytes() / MEBIBYTE);
  }
}
