package org.svcmailbox.bench.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Safepoint pauses of another JVM, from its own log. */
public final class Pauses {
  private static final Pattern LINE =
      Pattern.compile("^\\[(\\d+)ns].*Safepoint \"(\\w+)\",.* Total: +(\\d+) ns");

  private Pauses() {}

  /** Makes a JVM log its pauses from now on. */
  public static void log(long pid, Path file, Path work) throws IOException, InterruptedException {
    Jcmd.run(
        pid,
        work,
        "VM.log",
        "output=" + file.toAbsolutePath(),
        "output_options=filecount=0",
        "what=safepoint=info,gc=info",
        "decorators=timenanos");
  }

  public static List<Span> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Pauses::parse).flatMap(Optional::stream).toList();
  }

  /**
   * Parses a line, which is written at the end of the pause; empty if the line is not about one.
   */
  static Optional<Span> parse(String line) {
    Matcher pause = LINE.matcher(line);
    if (!pause.find()) {
      return Optional.empty();
    }
    long end = Long.parseLong(pause.group(1));
    return Optional.of(new Span(pause.group(2), end - Long.parseLong(pause.group(3)), end));
  }
}
