package org.svcmailbox.it.worker;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.test.process.ProcessTree;

/**
 * The worker's jar, run as its users do; the property {@code mailbox.worker} names it. Its settings
 * are {@code worker.toml} of a directory.
 */
public final class WorkerProgram {
  private static final Duration COMMAND = Duration.ofSeconds(60);

  private final Path directory;
  private final AtomicInteger processes = new AtomicInteger();

  /**
   * A program without settings.
   *
   * @param directory for its files, and for what it prints
   */
  public WorkerProgram(Path directory) {
    this.directory = directory;
  }

  /** Writes a file that its settings consist of. */
  public WorkerProgram write(String name, String content) {
    try {
      Files.writeString(directory.resolve(name), content);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a command to its end. */
  public CommandResult run(String... arguments) {
    Path out = output();
    Path err = output();
    ProcessTree process =
        launch(builder(arguments).redirectOutput(out.toFile()).redirectError(err.toFile()));
    try {
      int code = process.awaitEnd(COMMAND);
      return new CommandResult(code, Files.readString(out), Files.readString(err));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      process.kill();
    }
  }

  /**
   * Starts a worker. Its settings have the port 0 for its probes.
   *
   * @param environment variables, those of settings among them
   */
  public RunningWorker start(Map<String, String> environment) {
    Path output = output();
    ProcessBuilder builder =
        builder("run").redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    return new RunningWorker(launch(builder), output);
  }

  private Path output() {
    return directory.resolve("output-" + processes.incrementAndGet() + ".txt");
  }

  private ProcessBuilder builder(String... arguments) {
    String jar = System.getProperty("mailbox.worker");
    if (jar == null || !Files.isReadable(Path.of(jar))) {
      throw new IllegalStateException("mailbox.worker names no jar: " + jar);
    }
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin/java").toString());
    command.addAll(List.of(MailboxServer.FAST_START.split(" ", -1)));
    command.addAll(List.of("-jar", Path.of(jar).toAbsolutePath().toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("SEA_MQ_") || name.startsWith("MAILBOX_"));
    return builder.redirectInput(new File("/dev/null"));
  }

  private static ProcessTree launch(ProcessBuilder builder) {
    try {
      return new ProcessTree(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
