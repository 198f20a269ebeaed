package org.svcmailbox.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The times in which a JVM stood still, by its own log. */
final class Pauses {
  private static final Pattern LINE =
      Pattern.compile("^\\[(\\d+)ns].*Safepoint \"(\\w+)\",.* Total: +(\\d+) ns");
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private Pauses() {}

  /** Has a JVM write them to a file from now on. */
  static void log(long pid, Path file, Path work) throws IOException, InterruptedException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    Children.run(
        List.of(
            jcmd,
            Long.toString(pid),
            "VM.log",
            "output=" + file.toAbsolutePath(),
            "output_options=filecount=0",
            "what=safepoint=info,gc=info",
            "decorators=timenanos"),
        work.resolve("jcmd.txt"),
        PATIENCE);
  }

  /** Reads them. */
  static List<Span> read(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(Pauses::parse).flatMap(Optional::stream).toList();
  }

  /** One of them, written when it was over; nothing from a line that says something else. */
  static Optional<Span> parse(String line) {
    Matcher said = LINE.matcher(line);
    if (!said.find()) {
      return Optional.empty();
    }
    long end = Long.parseLong(said.group(1));
    return Optional.of(new Span(said.group(2), end - Long.parseLong(said.group(3)), end));
  }
}
