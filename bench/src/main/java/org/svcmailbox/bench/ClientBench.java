package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.MailboxContestant.Form;

/** The client library beside what one would use in its place, by turns in this process. */
final class ClientBench {
  /** The keys of all pairs. */
  static final List<String> PAIRS =
      List.of("memory", "redis-jedis", "redis-redisson", "http-batch", "http-worker", "sqs");

  private final Options options;
  private final Figures figures = new Figures();

  private ClientBench(Options options) {
    this.options = options;
  }

  /**
   * Measures and prints.
   *
   * @throws Objective.MissedException if a ratio is not reached
   */
  static void run(Options options) throws Exception {
    new ClientBench(options).run();
  }

  private void run() throws Exception {
    Path data = Files.createDirectories(options.work().resolve("data"));
    Map<String, String> machine = Machine.facts(data);
    machine.put("load average before", Machine.loadAverage());
    Versions.addClientsTo(machine);
    try (MailboxContestant service =
            new MailboxContestant(Form.JSON, options.home(), options.work());
        RedisProcess redis = RedisProcess.start(options.work().resolve("redis"));
        ElasticMqContestant elasticMq = new ElasticMqContestant(false, options.work())) {
      Bench.say("starting the server");
      service.start(data, options.work().resolve("server.txt"));
      elasticMq.start(options.work().resolve("elasticmq"), options.work().resolve("elasticmq.txt"));
      List<ClientPair> pairs = pairs(service, redis, elasticMq);
      warmUp(pairs);
      for (int round = 1; round <= options.rounds(); round++) {
        Bench.say("round " + round + " of " + options.rounds());
        for (ClientPair pair : pairs) {
          measure(pair);
        }
      }
      pairs.forEach(ClientPair::close);
      figures.add(ClientReport.HELD_BYTES, HeldMessages.bytesOfOne());
      report(new ClientReport(machine, figures, pairs, options));
    }
  }

  private List<ClientPair> pairs(
      MailboxContestant service, RedisProcess redis, ElasticMqContestant elasticMq) {
    List<ClientPair> pairs =
        new ArrayList<>(
            List.of(
                new InMemoryPair(),
                new JedisPair(redis),
                new RedissonPair(redis),
                new BatchPair(service),
                new WorkerPair(service, options.backlog()),
                new SqsPair(elasticMq)));
    if (!options.pairs().isEmpty()) {
      pairs.removeIf(pair -> !options.pairs().contains(pair.key()));
    }
    return pairs;
  }

  /** Whole rounds that are not counted, at least one. */
  private void warmUp(List<ClientPair> pairs) throws Exception {
    Bench.say("warming up for " + options.warmUp().toSeconds() + " s");
    long end = System.nanoTime() + options.warmUp().toNanos();
    do {
      for (ClientPair pair : pairs) {
        pair.ours(options.load());
        pair.theirs(options.load());
      }
    } while (System.nanoTime() - end < 0);
  }

  /** One after the other, so that what disturbs the machine disturbs both. */
  private void measure(ClientPair pair) throws Exception {
    double ours = pair.ours(options.load());
    double theirs = pair.theirs(options.load());
    figures.add(ClientReport.ours(pair), ours);
    figures.add(ClientReport.theirs(pair), theirs);
    figures.add(ClientReport.ratio(pair), ours / theirs);
  }

  private void report(ClientReport report) throws IOException {
    System.out.println(report.markdown());
    report.write(options.work());
    if (options.writesDocs()) {
      Files.writeString(Path.of("docs/CLIENT_PERFORMANCE.md"), report.document());
    }
    report.requireReached();
  }
}
