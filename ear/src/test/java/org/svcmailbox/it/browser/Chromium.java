package org.svcmailbox.it.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The machine's Chromium: the one on the path, or else, as root where Debian's packages can be had,
 * the one of the package {@code chromium}, which is installed for good. It needs too many other
 * packages to be unpacked only.
 */
final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");
  private static final long PATIENCE_MINUTES = 10;

  private Chromium() {}

  /** The program; fails in one line when there is none. */
  static Path program() {
    return installed()
        .or(Chromium::install)
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "Chromium is missing, and apt-get could not install it: install Debian's"
                        + " package chromium"));
  }

  private static Optional<Path> installed() {
    return NAMES.stream().flatMap(Chromium::onPath).findFirst();
  }

  private static Stream<Path> onPath(String name) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
        .map(directory -> Path.of(directory, name))
        .filter(Files::isExecutable);
  }

  private static Optional<Path> install() {
    String script =
        "export DEBIAN_FRONTEND=noninteractive; apt-get -q update"
            + " && apt-get -q -y install --no-install-recommends chromium";
    Path log = Path.of("target", "chromium.log");
    try {
      Process process =
          new ProcessBuilder("sh", "-c", script)
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      if (!process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (IOException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
    return installed();
  }
}
