package org.svcmailbox.bench.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.contestant.ElasticMqContestant;
import org.svcmailbox.bench.contestant.MailboxContestant;
import org.svcmailbox.bench.contestant.MailboxContestant.Form;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.machine.Versions;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Rounds;

/**
 * The scenario {@code client}: the client library and its alternatives, in turn in this process.
 */
public final class ClientBench {
  private final Options options;
  private final Figures figures = new Figures();

  private ClientBench(Options options) {
    this.options = options;
  }

  /**
   * Runs the scenario.
   *
   * @throws Objective.MissedException if a ratio is not reached
   */
  public static void run(Options options) throws Exception {
    new ClientBench(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.factsWithLoad(options.data());
    Versions.addClientsTo(machine);
    try (MailboxContestant service =
            new MailboxContestant(Form.JSON, options.home(), options.work());
        RedisProcess redis = RedisProcess.start(options.work().resolve("redis"));
        ElasticMqContestant elasticMq = new ElasticMqContestant(false, options.work())) {
      Progress.say("starting the server");
      service.start(options.data(), options.output("server"));
      elasticMq.start(options.work().resolve("elasticmq"), options.output("elasticmq"));
      List<ClientPair> pairs = pairs(service, redis, elasticMq);
      new Rounds(options).run("client", figures, into -> round(pairs, into));
      pairs.forEach(ClientPair::close);
      figures.add(ClientReport.HELD_BYTES, HeldMessages.bytesOfOne());
      ClientReport report = new ClientReport(machine, figures, pairs, options);
      report.publish();
      report.requireReached();
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

  /** Measures both sides of a pair right after each other, in the same state of the machine. */
  private void round(List<ClientPair> pairs, Figures into) throws Exception {
    for (ClientPair pair : pairs) {
      double ours = pair.ours(options.load());
      double theirs = pair.theirs(options.load());
      pair.names().add(into, ours, theirs);
    }
  }
}
