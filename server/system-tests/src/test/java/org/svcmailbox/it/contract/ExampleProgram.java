package org.svcmailbox.it.contract;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.process.ProcessTree;

/**
 * A program of an example, as its README runs it; the property {@code mailbox.examples} says where.
 */
final class ExampleProgram implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final int SIGTERM_EXIT = 128 + 15;

  private final ProcessTree process;
  private final Path output;

  private ExampleProgram(ProcessTree process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** The directory of an example. */
  static Path example(String name) {
    return Path.of(System.getProperty("mailbox.examples")).toAbsolutePath().resolve(name);
  }

  /**
   * Starts a program.
   *
   * @param directory for its output and its token
   * @param program a class, or a file of source code, and its arguments
   */
  static ExampleProgram start(
      String example, CallTarget service, Path directory, String... program) {
    Path target = example(example).resolve("target");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.add("-XX:TieredStopAtLevel=1");
    command.add("-cp");
    command.add(target.resolve("classes") + File.pathSeparator + target.resolve("lib") + "/*");
    command.addAll(List.of(program));
    Path output = directory.resolve(UUID.randomUUID() + ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    // As plain Java reads them, and as Spring derives them from its properties.
    for (String prefix : List.of("MAILBOX_", "SVCMAILBOX_")) {
      builder.environment().put(prefix + "URL", service.server().toString());
      builder.environment().put(prefix + "TOKEN_FILE", token(service, directory).toString());
    }
    try {
      return new ExampleProgram(new ProcessTree(builder.start()), output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file with the capability to call a service with. */
  static Path token(CallTarget service, Path directory) {
    try {
      return Files.writeString(
          directory.resolve("mailbox.cap"), String.valueOf(service.token().get()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when it has printed a line. */
  void awaitLine(String line) {
    Deadline.in(PATIENCE)
        .await(() -> lines().contains(line), () -> line + "\n" + String.join("\n", lines()));
  }

  /** Everything that it has printed, when it has ended by itself and well. */
  List<String> awaitEnd() {
    int exit = process.awaitEnd(PATIENCE);
    if (exit != 0) {
      throw new AssertionError("exit code " + exit + "\n" + String.join("\n", lines()));
    }
    return lines();
  }

  /** Ends it as Ctrl-C or a container would, and returns what it has printed. */
  List<String> interrupt() {
    int exit = process.terminate(PATIENCE);
    if (exit != SIGTERM_EXIT) {
      throw new AssertionError("exit code " + exit + "\n" + String.join("\n", lines()));
    }
    return lines();
  }

  @Override
  public void close() {
    process.kill();
  }

  private List<String> lines() {
    try {
      return Files.readAllLines(output);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
