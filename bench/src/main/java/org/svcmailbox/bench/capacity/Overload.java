package org.svcmailbox.bench.capacity;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.load.SendLoad;
import org.svcmailbox.bench.machine.Heap;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/**
 * The scenario {@code overload}: ten times as many SENDs at once as the server has room for, with
 * the refusals and the live heap of each minute.
 */
public final class Overload {
  private static final int SHARDS = 4;
  private static final int PER_SHARD = 16;
  private static final int TIMES = 10;
  private static final int MINUTES = 5;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A key capacity that the run reaches too, and with it the largest backlog. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "MAILBOX_SHARD_CAPACITY", Integer.toString(PER_SHARD),
          "MAILBOX_DEDUP_CAPACITY", "200000",
          "MAILBOX_T_REPLAY", "60s");

  private Overload() {}

  public static void run(Options options) throws Exception {
    int connections = TIMES * SHARDS * PER_SHARD;
    try (Server server = Server.start(options, SETTINGS)) {
      SendLoad sends = new SendLoad(server.client(), options.work());
      Progress.say("warming up until every bound is reached");
      sends.runOver(LoadTarget.TOPICS + "overload", connections, options.warmUp());
      List<Long> live = new ArrayList<>();
      live.add(Heap.liveMebibytes(server.pid(), options.work()));
      System.out.printf("%d connections on room for %d SENDs%n%n", connections, SHARDS * PER_SHARD);
      System.out.println("| minute | accepted/s | refused/s | p99 ms | live heap MiB |");
      System.out.println("|---|---|---|---|---|");
      System.out.printf("| 0 | | | | %d |%n", live.get(0));
      for (int minute = 1; minute <= MINUTES; minute++) {
        SendLoad.Result result = sends.runOver(LoadTarget.TOPICS + "overload", connections, MINUTE);
        live.add(Heap.liveMebibytes(server.pid(), options.work()));
        double refused = (double) result.refused() / MINUTE.toSeconds();
        System.out.printf(
            "| %d | %,.0f | %,.0f | %.1f | %d |%n",
            minute, result.perSecond() - refused, refused, result.p99Millis(), live.get(minute));
      }
    }
  }
}
