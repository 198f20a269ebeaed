package org.svcmailbox.bench;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Closed loops over HTTP, by wrk with scripts of ours. */
final class Wrk {
  private static final String SECONDS = "SECONDS ";
  private static final Duration SLACK = Duration.ofSeconds(30);

  private final URI server;
  private final Path work;

  Wrk(URI server, Path work) {
    this.server = server;
    this.work = work;
  }

  /** The same request over and over. */
  Outcome put(HttpTemplate request, String failure, Load load, Duration lasting)
      throws IOException, InterruptedException {
    LuaTable table = new LuaTable().with("parts", request.parts()).with("batch", load.batch());
    if (load.batch() > 1) {
      table.with("failure", failure);
    }
    return Outcome.parse(run("put.lua", table, load.connections(), lasting));
  }

  /**
   * The same request over and over, one message each: how many in each second.
   *
   * @param since when the first second began, on the clock of {@link System#nanoTime}
   */
  List<Double> perSecond(HttpTemplate request, int connections, Duration lasting, long since)
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

  /** Receives and acknowledges. */
  Outcome take(Taking taking, Load load, Duration lasting)
      throws IOException, InterruptedException {
    LuaTable table =
        new LuaTable()
            .with("receive", String.join("", taking.receive().parts()))
            .with("marks", taking.marks())
            .with("empty", taking.empty())
            .with("failure", taking.failure())
            .with("head", taking.head())
            .with("open", taking.open())
            .with("close", taking.close())
            .with("each", taking.each())
            .with("between", taking.between());
    return Outcome.parse(run("take.lua", table, load.connections(), lasting));
  }

  private String run(String script, LuaTable table, int connections, Duration lasting)
      throws IOException, InterruptedException {
    Path given = work.resolve("given.lua");
    Files.writeString(given, table.toString(), StandardCharsets.US_ASCII);
    List<String> command =
        List.of(
            "wrk",
            "-t1",
            "-c" + connections,
            "-d" + lasting.toSeconds() + "s",
            "--timeout",
            "20s",
            "-s",
            unpacked(script).toString(),
            server.toString(),
            "--",
            given.toString());
    return Children.run(command, work.resolve("wrk.txt"), lasting.plus(SLACK));
  }

  private Path unpacked(String script) throws IOException {
    Path file = work.resolve(script);
    try (InputStream in = Wrk.class.getResourceAsStream(script)) {
      if (in == null) {
        throw new IllegalStateException(script + " is not packaged");
      }
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
    return file;
  }
}
