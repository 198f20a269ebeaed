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

/** Closed loops over HTTP, by wrk with scripts of ours. */
final class Wrk {
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
    return run("put.lua", table, load.connections(), lasting);
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
    return run("take.lua", table, load.connections(), lasting);
  }

  private Outcome run(String script, LuaTable table, int connections, Duration lasting)
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
    return Outcome.parse(Children.run(command, work.resolve("wrk.txt"), lasting.plus(SLACK)));
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
