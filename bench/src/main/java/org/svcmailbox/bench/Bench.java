package org.svcmailbox.bench;

import org.svcmailbox.bench.capacity.Backlog;
import org.svcmailbox.bench.capacity.Overload;
import org.svcmailbox.bench.capacity.Topics;
import org.svcmailbox.bench.client.ClientBench;
import org.svcmailbox.bench.compare.Compare;
import org.svcmailbox.bench.latency.Expiry;
import org.svcmailbox.bench.latency.Greedy;
import org.svcmailbox.bench.latency.Latency;
import org.svcmailbox.bench.latency.Neighbour;
import org.svcmailbox.bench.latency.Tail;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.outbox.OutboxBench;
import org.svcmailbox.bench.rendezvous.RendezvousBench;
import org.svcmailbox.bench.soak.ClientSoak;
import org.svcmailbox.bench.soak.Soak;
import org.svcmailbox.bench.speed.Speed;
import org.svcmailbox.bench.start.StartBench;
import org.svcmailbox.bench.start.WarmthBench;
import org.svcmailbox.bench.stream.StreamBench;
import org.svcmailbox.test.files.Trees;

/** Runs one scenario; bench/README.md describes scenarios and options. */
public final class Bench {
  private Bench() {}

  public static void main(String[] arguments) throws Exception {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Trees.delete(options.work());
    run(options);
    Trees.delete(options.data());
  }

  private static void run(Options options) throws Exception {
    switch (options.scenario()) {
      case COMPARE -> Compare.run(options);
      case SPEED -> Speed.run(options);
      case OVERLOAD -> Overload.run(options);
      case NEIGHBOUR -> Neighbour.run(options);
      case GREEDY -> Greedy.run(options);
      case EXPIRY -> Expiry.run(options);
      case LATENCY -> Latency.run(options);
      case TAIL -> Tail.run(options);
      case SOAK -> Soak.run(options);
      case BACKLOG -> Backlog.run(options);
      case TOPICS -> Topics.run(options);
      case START -> StartBench.run(options);
      case WARMTH -> WarmthBench.run(options);
      case CLIENT -> ClientBench.run(options);
      case CLIENT_SOAK -> ClientSoak.run(options);
      case RENDEZVOUS -> RendezvousBench.run(options);
      case STREAMS -> StreamBench.run(options);
      case OUTBOX -> OutboxBench.run(options);
    }
  }
}
