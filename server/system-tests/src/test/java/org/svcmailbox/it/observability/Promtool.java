package org.svcmailbox.it.observability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Prometheus' own checker of rules: the one on the path, or else, with access to Debian's packages,
 * the one of {@code prometheus}, which is unpacked and not installed.
 */
final class Promtool {
  private static final Path UNPACKED = Path.of("target", "promtool").toAbsolutePath();
  private static final long PATIENCE_SECONDS = 120;

  private final Path program;

  private Promtool(Path program) {
    this.program = program;
  }

  /** The result of a call. */
  record Result(int status, String output) {}

  /** The program, wherever it can be had. */
  static Optional<Promtool> find() throws IOException, InterruptedException {
    Optional<Path> found = onPath("promtool");
    if (found.isEmpty() && onPath("apt-get").isPresent()) {
      found = unpacked();
    }
    return found.map(Promtool::new);
  }

  Result run(String... arguments) throws IOException, InterruptedException {
    return call(
        Path.of("").toAbsolutePath(),
        Stream.concat(Stream.of(program.toString()), Arrays.stream(arguments)).toList());
  }

  private static Optional<Path> onPath(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  private static Optional<Path> unpacked() throws IOException, InterruptedException {
    Path program = UNPACKED.resolve("usr/bin/promtool");
    if (!Files.isExecutable(program)) {
      Files.createDirectories(UNPACKED);
      String script = "apt-get -q download prometheus && dpkg -x prometheus_*.deb .";
      call(UNPACKED, List.of("sh", "-c", script));
    }
    return Optional.of(program).filter(Files::isExecutable);
  }

  private static Result call(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("promtool", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new IOException(command + " did not end");
      }
      return new Result(process.exitValue(), Files.readString(output));
    } finally {
      Files.delete(output);
    }
  }
}
