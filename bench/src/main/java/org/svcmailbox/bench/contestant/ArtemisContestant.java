package org.svcmailbox.bench.contestant;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.bench.load.Load;
import org.svcmailbox.bench.load.Outcome;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.bench.machine.ProcessUsage;

/** The broker of the service alone, driven by its core client: the upper limit. */
public final class ArtemisContestant implements Contestant {
  private @Nullable Process process;
  private @Nullable Path output;

  @Override
  public String name() {
    return "artemis";
  }

  @Override
  public String title() {
    return "Artemis core client";
  }

  @Override
  public String durability() {
    return "fsync before the answer";
  }

  @Override
  public boolean can(Load load) {
    return true;
  }

  @Override
  public void start(Path directory, Path output) throws IOException {
    this.output = output;
    List<String> command = ChildProcesses.jvm(ArtemisProcess.class, directory.toString());
    process = ChildProcesses.converse(new ProcessBuilder(command), output);
  }

  @Override
  public void create(String queue) throws IOException {
    ask("create " + queue);
  }

  @Override
  public void fill(String queue, int messages) throws IOException {
    ask("fill " + queue + " " + messages);
  }

  @Override
  public Outcome run(Load load, String queue, Duration lasting) throws IOException {
    return Outcome.parse(
        ask(
            "run %s %s %d %d %d %s"
                .formatted(
                    queue,
                    load.work().key(),
                    load.connections(),
                    load.batch(),
                    load.perSecond(),
                    lasting)));
  }

  @Override
  public void delete(String queue) throws IOException {
    ask("delete " + queue);
  }

  @Override
  public ProcessUsage processes() {
    return new ProcessUsage(Objects.requireNonNull(process).toHandle());
  }

  @Override
  public boolean isJvm() {
    return true;
  }

  @Override
  public void close() {
    if (process != null) {
      ChildProcesses.kill(process);
    }
  }

  private String ask(String line) throws IOException {
    Process running = Objects.requireNonNull(process);
    Writer in = running.outputWriter(StandardCharsets.UTF_8);
    in.write(line + "\n");
    in.flush();
    BufferedReader out = running.inputReader(StandardCharsets.UTF_8);
    String answer = out.readLine();
    while (answer != null && !answer.startsWith("RESULT")) {
      answer = out.readLine();
    }
    if (answer == null) {
      throw new IOException("the broker ended during " + line + ": see " + output);
    }
    return answer;
  }
}
