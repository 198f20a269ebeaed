package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What this machine is and how fast its disk syncs: no figure means anything without. */
final class Machine {
  private static final int SYNCS = 500;

  private Machine() {}

  /** Facts by name. */
  static Map<String, String> facts(Path directory) throws IOException {
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

  /** How many threads wanted a processor, over the last one, five and fifteen minutes. */
  static String loadAverage() throws IOException {
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
    return Samples.percentile(nanos, 50) / 1e6;
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
