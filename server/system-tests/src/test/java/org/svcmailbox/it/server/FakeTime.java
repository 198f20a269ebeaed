package org.svcmailbox.it.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A wall clock that a test moves under a running server, by Debian's libfaketime; the monotonic
 * clock is left alone.
 */
public final class FakeTime {
  /**
   * Not the one with locks around every look at the clock: a server under it is ten times slower.
   */
  private static final String LIBRARY = "libfaketime.so.1";

  private static final Duration FETCH = Duration.ofMinutes(2);

  private static final Path DIRECTORY = Path.of("target", "faketime").toAbsolutePath();

  private final Path library;
  private final Path offset;

  /** A clock that is right as yet. */
  public FakeTime() throws IOException, InterruptedException {
    this("offset");
  }

  /**
   * The same with a name, so that several clocks run side by side.
   *
   * @param name of the file with its offset
   */
  public FakeTime(String name) throws IOException, InterruptedException {
    Files.createDirectories(DIRECTORY);
    this.library = library(DIRECTORY);
    this.offset = DIRECTORY.resolve(name);
    set(Duration.ZERO);
  }

  /** How a server is started under it. */
  public Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "FAKETIME_TIMESTAMP_FILE", offset.toString(),
        "FAKETIME_CACHE_DURATION", "1",
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "FAKETIME_FORCE_MONOTONIC_FIX", "0",
        "NO_FAKE_STAT", "1");
  }

  /** Sets it so far before the right time, or behind; the server sees it within a second. */
  public void set(Duration ahead) throws IOException {
    Path next = offset.resolveSibling(offset.getFileName() + ".new");
    Files.writeString(next, String.format("%+d\n", ahead.toSeconds()));
    Files.move(next, offset, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  private static synchronized Path library(Path directory)
      throws IOException, InterruptedException {
    Optional<Path> installed = find(Path.of("/usr/lib")).or(() -> find(directory));
    if (installed.isPresent()) {
      return installed.get();
    }
    run(directory, "apt-get", "download", "libfaketime");
    run(directory, "sh", "-c", "dpkg -x libfaketime_*.deb .");
    return find(directory).orElseThrow(FakeTime::missing);
  }

  private static Optional<Path> find(Path root) {
    try (Stream<Path> files = Files.find(root, 6, (file, is) -> file.endsWith(LIBRARY))) {
      return files.findFirst().map(Path::toAbsolutePath);
    } catch (IOException | java.io.UncheckedIOException e) {
      return Optional.empty();
    }
  }

  private static void run(Path directory, String... command)
      throws IOException, InterruptedException {
    File log = directory.resolve("fetch.log").toFile();
    Process process =
        new ProcessBuilder(List.of(command))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start();
    if (!process.waitFor(FETCH.toSeconds(), TimeUnit.SECONDS) || process.exitValue() != 0) {
      process.destroyForcibly();
      throw missing();
    }
  }

  private static IllegalStateException missing() {
    return new IllegalStateException(
        "libfaketime is missing, and apt-get could not download it: install Debian's package"
            + " libfaketime");
  }
}
