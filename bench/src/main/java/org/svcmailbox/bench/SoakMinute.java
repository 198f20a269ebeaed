package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One minute of a soak.
 *
 * @param sent what the senders saw
 * @param keys idempotency keys in the table at its end
 * @param ledgerMebibytes what the ledgers take in the database, as the service counts
 * @param liveMebibytes the server's heap after a collection
 * @param diskMebibytes all files in the data directory
 */
record SoakMinute(
    Outcome sent, long keys, long ledgerMebibytes, long liveMebibytes, long diskMebibytes) {
  static final String HEAD =
      "| minute | SENDs/s | p50 ms | p95 ms | p99 ms | keys | ledgers MiB | live heap MiB | disk MiB |\n"
          + "|---|---|---|---|---|---|---|---|---|";

  private static final int MEBI = 1 << 20;

  /** Asks the server, whose load pauses for it. */
  static SoakMinute of(Outcome sent, Server server, Path data, Path work)
      throws IOException, InterruptedException {
    String metrics = server.metrics();
    return new SoakMinute(
        sent,
        used(metrics, "dedup_capacity"),
        used(metrics, "ledger_bytes") / MEBI,
        Heap.liveMebibytes(server.pid(), work),
        bytes(data) / MEBI);
  }

  private static long used(String metrics, String bound) {
    Matcher used =
        Pattern.compile("bound_used\\{bound=\"" + bound + "\"[^}]*} (\\S+)").matcher(metrics);
    if (!used.find()) {
      throw new IllegalStateException("no metric says how much of " + bound + " is used");
    }
    return (long) Double.parseDouble(used.group(1));
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
      // Deleted since the directory was read.
      return 0;
    }
  }

  /** Its row below {@link #HEAD}. */
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
