package org.svcmailbox.bench.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.svcmailbox.bench.machine.Heap;

/**
 * One minute of {@link ClientSoak}.
 *
 * @param accepted number of accepted messages
 * @param unknown number of sends that ended with {@code UNKNOWN} and were repeated
 * @param heapBytes heap of this process after a collection
 * @param threads threads of this process
 * @param files open files of this process, connections included
 */
record ClientSoakMinute(long accepted, long unknown, long heapBytes, int threads, long files) {
  static final String HEAD =
      "| minute | messages | UNKNOWN | heap KiB | threads | open files |\n|---|---|---|---|---|---|";

  /** Minutes until all classes are loaded and all pools are filled. */
  static final int WARM = 2;

  private static final int KIBI = 1 << 10;

  /** Allowed growth from the first half to the second. */
  private static final long MORE_HEAP = 1 << 20;

  private static final long MORE_THREADS = 2;
  private static final long MORE_FILES = 4;

  /** Measures this process. */
  static ClientSoakMinute now(long accepted, long unknown) throws IOException {
    long heap = Heap.ownBytes();
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return new ClientSoakMinute(
          accepted,
          unknown,
          heap,
          ManagementFactory.getThreadMXBean().getThreadCount(),
          files.count());
    }
  }

  /**
   * The figures that grew, a phrase for each. It compares the minima of the two halves, because
   * connections of a restart may close late.
   */
  static List<String> grown(List<ClientSoakMinute> minutes) {
    if (minutes.size() < WARM + 2) {
      return List.of(minutes.size() + " minutes are too few to judge");
    }
    List<ClientSoakMinute> steady = minutes.subList(WARM, minutes.size());
    List<String> grown = new ArrayList<>();
    compare(grown, "bytes of heap", steady, ClientSoakMinute::heapBytes, MORE_HEAP);
    compare(grown, "threads", steady, ClientSoakMinute::threads, MORE_THREADS);
    compare(grown, "open files", steady, ClientSoakMinute::files, MORE_FILES);
    return grown;
  }

  private static void compare(
      List<String> grown,
      String what,
      List<ClientSoakMinute> minutes,
      ToLongFunction<ClientSoakMinute> of,
      long more) {
    int half = minutes.size() / 2;
    long first = least(minutes.subList(0, half), of);
    long second = least(minutes.subList(half, minutes.size()), of);
    if (second > first + more) {
      grown.add(String.format(Locale.ROOT, "%,d %s, after %,d", second, what, first));
    }
  }

  private static long least(List<ClientSoakMinute> minutes, ToLongFunction<ClientSoakMinute> of) {
    return minutes.stream().mapToLong(of).min().orElseThrow();
  }

  /** The row below {@link #HEAD}. */
  String row(int number) {
    return String.format(
        Locale.ROOT,
        "| %d | %,d | %,d | %,d | %d | %d |",
        number,
        accepted,
        unknown,
        heapBytes / KIBI,
        threads,
        files);
  }
}
