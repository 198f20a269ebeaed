package org.svcmailbox.bench.outbox;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Versions;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Parts;
import org.svcmailbox.bench.options.Rounds;
import org.svcmailbox.bench.outbox.OutboxTransactions.Millis;
import org.svcmailbox.outbox.publish.EventPublisher;
import org.svcmailbox.outbox.publish.Published;

/** The scenario {@code outbox}: the transactional outbox and its alternatives on one PostgreSQL. */
public final class OutboxBench {
  /** Share of rows for gruelbox, whose rate does not depend on their number. */
  private static final int GRUELBOX_SHARE = 5;

  /** The fastest number on two cores. */
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
    data = options.data();
  }

  public static void run(Options options) throws Exception {
    new OutboxBench(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.factsWithLoad(data);
    Versions.addOutboxesTo(machine);
    try (OutboxDatabase database = OutboxDatabase.start(data)) {
      measure(database);
    }
    new OutboxReport(machine, figures, options).publish();
  }

  private void measure(OutboxDatabase database) throws Exception {
    Rounds rounds = new Rounds(options);
    if (options.has(Parts.RECORD)) {
      OutboxTransactions transactions = new OutboxTransactions(database);
      rounds.run(Parts.RECORD, figures, into -> record(transactions, into));
    }
    if (options.has(Parts.DRAIN)) {
      rounds.run(Parts.DRAIN, figures, into -> drain(database, into));
    }
    if (options.has(Parts.MILLION)) {
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
    // Warms up, or the first tenth would run uncompiled code.
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
