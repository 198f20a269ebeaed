package org.svcmailbox.bench.machine;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Child processes. None outlives this process. */
public final class ChildProcesses {
  private static final Duration STOP = Duration.ofSeconds(30);
  private static final Set<Process> LIVE = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> LIVE.forEach(ChildProcesses::kill), "end"));
  }

  private ChildProcesses() {}

  /** Path of the {@code java} that runs this process. */
  public static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /**
   * Command of a JVM with the heap and collector of the service and the class path of this process.
   */
  public static List<String> jvm(Class<?> main, String... arguments) {
    List<String> command =
        new ArrayList<>(List.of(java(), "-Xms1g", "-Xmx2g", "-XX:+UseG1GC", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(arguments));
    return command;
  }

  /** Starts a process without input, whose output and errors go to {@code output}. */
  public static Process start(ProcessBuilder builder, Path output) throws IOException {
    Process process =
        builder
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(output.toFile())
            .start();
    LIVE.add(process);
    return process;
  }

  /** Starts a process with pipes for input and output; errors go to {@code output}. */
  public static Process converse(ProcessBuilder builder, Path output) throws IOException {
    Process process = builder.redirectError(output.toFile()).start();
    LIVE.add(process);
    return process;
  }

  /**
   * Runs a process to its end and returns its output.
   *
   * @throws IllegalStateException if it fails or exceeds the time
   */
  public static String run(List<String> command, Path output, Duration allowed)
      throws IOException, InterruptedException {
    Process process = start(new ProcessBuilder(command), output);
    if (!process.waitFor(allowed.toMillis(), TimeUnit.MILLISECONDS)) {
      kill(process);
      throw new IllegalStateException(command.get(0) + " did not end within " + allowed);
    }
    LIVE.remove(process);
    String text = Files.readString(output, StandardCharsets.UTF_8);
    if (process.exitValue() != 0) {
      throw new IllegalStateException(
          command.get(0) + " ended with " + process.exitValue() + ":\n" + text);
    }
    return text;
  }

  /** Sends SIGTERM, and kills the process if it has not ended after 30 seconds. */
  public static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(STOP.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println(process.pid() + " did not end within " + STOP + " and is killed");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      kill(process);
    }
  }

  /** Kills a process and its descendants. */
  public static void kill(Process process) {
    Stream.concat(process.descendants(), Stream.of(process.toHandle()))
        .toList()
        .forEach(ProcessHandle::destroyForcibly);
    LIVE.remove(process);
  }
}
