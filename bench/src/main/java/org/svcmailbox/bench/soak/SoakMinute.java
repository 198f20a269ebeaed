package org.svcmailbox.bench.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.contestant.ServerMetrics;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.machine.Heap;

/**
 * One minute of {@link Soak}.
 *
 * @param sent result of the senders
 * @param keys idempotency keys at its end
 * @param ledgerMebibytes size of the ledgers by the metrics
 * @param liveMebibytes heap of the server after a collection
 * @param diskMebibytes size of all files in the data directory
 */
record SoakMinute(
    Outcome sent, long keys, long ledgerMebibytes, long liveMebibytes, long diskMebibytes) {
  static final String HEAD =
      "| minute | SENDs/s | p50 ms | p95 ms | p99 ms | keys | ledgers MiB | live heap MiB | disk MiB |\n"
          + "|---|---|---|---|---|---|---|---|---|";

  private static final int MEBI = 1 << 20;

  /** Measures the server while no load runs. */
  static SoakMinute of(Outcome sent, Server server, Path data, Path work)
      throws IOException, InterruptedException {
    ServerMetrics metrics = server.metrics();
    return new SoakMinute(
        sent,
        metrics.used("dedup_capacity"),
        metrics.used("ledger_bytes") / MEBI,
        Heap.liveMebibytes(server.pid(), work),
        bytes(data) / MEBI);
  }

  private static long bytes(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      long bytes = 0;
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        bytes += size(file);
      }
      return bytes;
    }
  }

  private static long size(Path file) throws IOException {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      // Deleted after the directory was listed.
      return 0;
    }
  }

  /** The row below {@link #HEAD}. */
  String row(int number) {
    return String.format(
        Locale.ROOT,
        "| %d | %,.0f | %.2f | %.2f | %.2f | %,d | %d | %d | %d |",
        number,
        sent.perSecond(),
        sent.p50Millis(),
        sent.p95Millis(),
        sent.p99Millis(),
        keys,
        ledgerMebibytes,
        liveMebibytes,
        diskMebibytes);
  }
}
