package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.svcmailbox.bench.figure.Samples;

/** Facts about this machine, without which no figure can be compared. */
public final class Machine {
  private static final int SYNCS = 500;

  private Machine() {}

  /**
   * Facts by name.
   *
   * @param directory on the disk whose sync is timed
   */
  public static Map<String, String> facts(Path directory) throws IOException {
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("cores", Integer.toString(Runtime.getRuntime().availableProcessors()));
    facts.put("cpu", cpu());
    facts.put("memory", memory());
    facts.put("java", System.getProperty("java.vm.name") + " " + Runtime.version());
    facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
    facts.put("file system", Files.getFileStore(directory).type());
    facts.put("fdatasync of 4 KiB", String.format("%.3f ms median", syncMillis(directory)));
    return facts;
  }

  public static void print(Map<String, String> facts) {
    facts.forEach((fact, value) -> System.out.printf("%s: %s%n", fact, value));
  }

  /** Facts, and the load average before the run. */
  public static Map<String, String> factsWithLoad(Path directory) throws IOException {
    Map<String, String> facts = facts(directory);
    facts.put("load average before", loadAverage());
    return facts;
  }

  /** Load average over the last 1, 5 and 15 minutes. */
  public static String loadAverage() throws IOException {
    String[] fields = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
    return String.join(" ", fields[0], fields[1], fields[2]);
  }

  private static double syncMillis(Path directory) throws IOException {
    List<Long> nanos = new ArrayList<>();
    try (SyncedBlock block = new SyncedBlock(directory)) {
      for (int i = 0; i < SYNCS; i++) {
        long before = System.nanoTime();
        block.sync();
        nanos.add(System.nanoTime() - before);
      }
    }
    return Samples.millis(nanos, 50);
  }

  private static String cpu() throws IOException {
    return field("/proc/cpuinfo", "model name");
  }

  private static String memory() throws IOException {
    return field("/proc/meminfo", "MemTotal");
  }

  private static String field(String file, String name) throws IOException {
    Path path = Path.of(file);
    if (!Files.isReadable(path)) {
      return "unknown";
    }
    return Files.readAllLines(path).stream()
        .filter(line -> line.startsWith(name))
        .map(line -> line.substring(line.indexOf(':') + 1).trim())
        .findFirst()
        .orElse("unknown");
  }
}
