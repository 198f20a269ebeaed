package org.svcmailbox.it.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The resources of a server's JVM after two collections.
 *
 * @param heapBytes in use
 */
public record ProcessFootprint(long heapBytes, long threads, long openFiles) {
  private static final Pattern USED = Pattern.compile("heap.*? used (\\d+)K");

  /** Of a running server. */
  public static ProcessFootprint of(MailboxServer server) throws IOException, InterruptedException {
    long java =
        server.processIds().stream().filter(ProcessFootprint::isJava).findFirst().orElseThrow();
    jcmd(java, "GC.run");
    jcmd(java, "GC.run");
    Matcher used = USED.matcher(jcmd(java, "GC.heap_info"));
    assertTrue(used.find(), "GC.heap_info tells of a heap");
    return new ProcessFootprint(
        Long.parseLong(used.group(1)) * 1_024, entries(java, "task"), entries(java, "fd"));
  }

  public long heapMebibytes() {
    return heapBytes >> 20;
  }

  private static long entries(long process, String directory) throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc/" + process).resolve(directory))) {
      return all.count();
    }
  }

  private static boolean isJava(long id) {
    return ProcessHandle.of(id)
        .flatMap(process -> process.info().command())
        .filter(command -> command.endsWith("java"))
        .isPresent();
  }

  private static String jcmd(long id, String command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(id),
                command)
            .redirectErrorStream(true)
            .start();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), text);
      return text;
    }
  }
}
