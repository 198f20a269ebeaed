package org.svcmailbox.bench.load;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.svcmailbox.bench.http.HttpTemplate;
import org.svcmailbox.bench.http.ReceiveTemplate;
import org.svcmailbox.bench.machine.ChildProcesses;
import org.svcmailbox.bench.machine.PackagedFile;

/** Closed loops over HTTP by {@code wrk} with packaged Lua scripts. */
public final class Wrk {
  private static final String SECONDS = "SECONDS ";
  private static final String TIMEOUT = "20s";
  private static final Duration SLACK = Duration.ofSeconds(30);

  private final URI server;
  private final Path work;

  public Wrk(URI server, Path work) {
    this.server = server;
    this.work = work;
  }

  /**
   * Repeats a SEND.
   *
   * @param failure text of an answer that refused a message
   */
  public Outcome put(HttpTemplate request, String failure, Load load, Duration lasting)
      throws IOException, InterruptedException {
    LuaTable table = new LuaTable().with("parts", request.parts()).with("batch", load.batch());
    if (load.batch() > 1) {
      table.with("failure", failure);
    }
    return run("put.lua", table, load, lasting);
  }

  /**
   * Repeats a SEND of one message and returns the count of each second.
   *
   * @param since start of the first second, on the clock of {@link System#nanoTime}
   */
  public List<Double> perSecond(HttpTemplate request, int connections, Duration lasting, long since)
      throws IOException, InterruptedException {
    LuaTable table =
        new LuaTable().with("parts", request.parts()).with("batch", 1).with("since", since / 1e9);
    String output = run("put.lua", table, connections, lasting);
    Outcome.parse(output);
    return output
        .lines()
        .filter(line -> line.startsWith(SECONDS))
        .flatMap(line -> Stream.of(line.substring(SECONDS.length()).split(",", -1)))
        .map(Double::valueOf)
        .toList();
  }

  /** Receives and acknowledges until nothing is left. */
  public Outcome take(ReceiveTemplate template, Load load, Duration lasting)
      throws IOException, InterruptedException {
    LuaTable table =
        new LuaTable()
            .with("receive", String.join("", template.receive().parts()))
            .with("marks", template.marks())
            .with("empty", template.empty())
            .with("failure", template.failure())
            .with("head", template.head())
            .with("open", template.open())
            .with("close", template.close())
            .with("each", template.each())
            .with("between", template.between());
    return run("take.lua", table, load, lasting);
  }

  private Outcome run(String script, LuaTable table, Load load, Duration lasting)
      throws IOException, InterruptedException {
    return Outcome.parse(run(script, table, load.connections(), lasting));
  }

  private String run(String script, LuaTable table, int connections, Duration lasting)
      throws IOException, InterruptedException {
    Path given = work.resolve("given.lua");
    Files.writeString(given, table.toString(), StandardCharsets.US_ASCII);
    return run(script, connections, lasting, TIMEOUT, List.of(given.toString()));
  }

  /** Runs a packaged script, with one thread, and returns the output. */
  String run(
      String script, int connections, Duration lasting, String timeout, List<String> arguments)
      throws IOException, InterruptedException {
    Path file = Files.writeString(work.resolve(script), PackagedFile.text(Wrk.class, script));
    List<String> command =
        new ArrayList<>(
            List.of(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + lasting.toSeconds() + "s",
                "--timeout",
                timeout,
                "-s",
                file.toString(),
                server.toString(),
                "--"));
    command.addAll(arguments);
    return ChildProcesses.run(command, work.resolve("wrk.txt"), lasting.plus(SLACK));
  }
}
