package org.svcmailbox.ejb.batch;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.svcmailbox.ejb.store.ServerUrl;

/** A running {@link DoomedProcess} and what it has announced so far. Killed when closed. */
final class WriterProcess implements AutoCloseable {
  private static final int DEADLINE_MINUTES = 4;

  private final Process process;
  private final BufferedReader lines;
  private final Path errors;
  private final List<Announced> announced = new ArrayList<>();

  private WriterProcess(Process process, Path errors) {
    this.process = process;
    this.lines = process.inputReader(StandardCharsets.US_ASCII);
    this.errors = errors;
  }

  /**
   * Starts it.
   *
   * @param directory where it works and leaves its complaints
   */
  static WriterProcess start(ServerUrl url, Path file, long seed, Path directory)
      throws IOException {
    Path errors = directory.resolve("writer.err");
    Process process =
        new ProcessBuilder(command(url, file, seed, directory))
            .directory(directory.toFile())
            .redirectError(errors.toFile())
            .start();
    // Callers wait for its output; killing a hung process ends the wait.
    CompletableFuture.delayedExecutor(DEADLINE_MINUTES, TimeUnit.MINUTES)
        .execute(() -> kill(process));
    return new WriterProcess(process, errors);
  }

  private static List<String> command(ServerUrl url, Path file, long seed, Path directory) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        // It lives for seconds.
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx256m",
        // The driver unpacks its library there; a killed process cannot remove it.
        "-Djava.io.tmpdir=" + directory,
        "-cp",
        System.getProperty("java.class.path"),
        DoomedProcess.class.getName(),
        url.parameters(),
        file.toString(),
        Long.toString(seed));
  }

  /** Reads on until {@code count} batches are announced. */
  void awaitBatches(int count) throws IOException {
    while (announced.size() < count) {
      if (!readLine()) {
        throw new AssertionError(
            "ended after " + announced.size() + " batches: " + Files.readString(errors));
      }
    }
  }

  /** Kills it without a warning and reads what it said before. */
  void kill() throws IOException {
    kill(process);
    awaitEnd();
  }

  /** By its handle: the process itself would throw away what it said and nobody read yet. */
  private static void kill(Process process) {
    process.toHandle().destroyForcibly();
  }

  /**
   * Reads on until it has ended.
   *
   * @return its exit status
   */
  int awaitEnd() throws IOException {
    while (readLine()) {
      // Every line is kept.
    }
    return process.onExit().join().exitValue();
  }

  List<Announced> announced() {
    return List.copyOf(announced);
  }

  /** Reads one announcement; false at the end. */
  private boolean readLine() throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      Optional<Announced> whole = Announced.parse(line);
      if (whole.isPresent()) {
        announced.add(whole.get());
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly().onExit().join();
    lines.close();
  }
}
